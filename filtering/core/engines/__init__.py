"""The engine that trains a phase's classifiers, and what it keeps to."""

from filtering.core.engines.batched import BatchedEngine
from filtering.core.engines.contract import Base, Ensemble, Settings
