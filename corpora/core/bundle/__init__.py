"""The files of a release that are made from its manifest and its rows alone."""
