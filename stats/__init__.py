"""Statistics on plain arrays: intervals, agreement, paired tests, one bootstrap, random keys."""
