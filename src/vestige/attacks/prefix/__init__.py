"""A transformer that writes the text behind a vector, and proposes edits of a text; the vector is its prefix."""
