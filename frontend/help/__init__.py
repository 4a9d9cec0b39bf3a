"""The user documents as pages, and the place of each page in them."""
