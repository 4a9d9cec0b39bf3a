"""The problems of a knowledge release."""

from collections.abc import Iterator

from knowledge.core.released import ReleasedProblem, read_problems
from knowledge.models import KnowledgeRelease
from winoplatform.artifacts import store


def released_problems(release: KnowledgeRelease) -> Iterator[ReleasedProblem]:
    """Yield the problems of a release that is done, variant by variant, in the order of ids.

    Source: the artifact ``release.problems``, whose SHA-256 names the content.
    """
    assert release.problems is not None
    with store.open_artifact(release.problems) as file:
        yield from read_problems(file)
