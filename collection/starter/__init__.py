"""The starter campaign: readable data files and the simulated people who work on them."""
