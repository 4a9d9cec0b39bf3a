"""Build knowledge releases: freeze the records, write the files."""
