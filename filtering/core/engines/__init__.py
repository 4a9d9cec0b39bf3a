"""Ensemble engines by name: ``batched`` for use, ``plain`` as the reference for tests."""

from filtering.core.engines.batched import BatchedEngine
from filtering.core.engines.contract import Base, Engine, Ensemble, MakeEngine, Settings
from filtering.core.engines.plain import PlainEngine

ENGINES: dict[str, MakeEngine] = {"batched": BatchedEngine, "plain": PlainEngine}
