"""What vectors are still good for: vectors and labels to a score."""
