"""Toys in words; tests add the folder above to the package ``frontend``."""

from frontend.runs.words import RunWords, register
from tests.toyruns.models import Toy


class ToyWords(RunWords[Toy]):
    def about(self, run: Toy) -> str:
        return f"up to {run.size}"

    def progress(self, run: Toy) -> str:
        return f"{run.done} squares"


register(Toy, ToyWords())
