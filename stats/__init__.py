"""Statistics on plain arrays: intervals, agreement, paired tests, bootstrap, random keys."""
