"""What vectors are still useful for: vectors and labels to a score."""
