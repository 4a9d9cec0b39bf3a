"""Build releases: plan which question is in which file, write the files, state the facts."""
