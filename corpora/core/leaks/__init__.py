"""Search for leaks: whether anything published beside the sentences tells the answer."""
