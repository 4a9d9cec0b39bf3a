"""The files of a knowledge release, and how they are read back."""
