"""Import of the files that an export of a campaign has written."""
