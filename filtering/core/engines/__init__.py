"""Ensemble engines, by name: the batched one for use, the plain one as its oracle."""

from filtering.core.engines.batched import BatchedEngine
from filtering.core.engines.contract import Base, Engine, Ensemble, MakeEngine, Settings
from filtering.core.engines.plain import PlainEngine

ENGINES: dict[str, MakeEngine] = {"batched": BatchedEngine, "plain": PlainEngine}
