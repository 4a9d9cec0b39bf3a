"""Pages of knowledge sets: for experts, annotators and curators."""
