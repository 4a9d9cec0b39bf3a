"""Executes the runs of this app, starting after their last recorded step."""

from knowledge.building import build
from knowledge.models import KnowledgeRelease, Sweep
from knowledge.runner.sweeps import sweep
from winoplatform.runs import kinds

kinds.register(Sweep, sweep)
kinds.register(KnowledgeRelease, build.release)
