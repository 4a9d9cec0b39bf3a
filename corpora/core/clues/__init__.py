"""Search for clues in texts: whether characters, words, numbers or options tell the answer."""
