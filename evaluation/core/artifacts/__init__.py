"""Artifact detectors: cheap models that see too little of an item to answer it honestly.

Pages read `results`, which does not load scikit-learn as `detection` does.
"""
