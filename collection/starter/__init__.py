"""The starter campaign: data files and simulated people."""
