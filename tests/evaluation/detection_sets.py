"""Sets and releases in which artifacts are looked for."""

from corpora.models import Release
from tests.evaluation.core.artifact_sets import leaky_set
from tests.filtering.stages import carried, filtered, frozen, read, release_of, rows

CLEAN = leaky_set(None, n_pairs=15, n_singles=0, strength=0, seed=0)
QUESTIONS = frozen(pairs=40)


def built() -> Release:
    release = release_of(filtered(QUESTIONS, dev_share="0.2", test_share="0.3"), "first")
    carried(release)
    return release


def labelled_in(release: Release, *splits: str) -> set[str]:
    index = release.files.select_related("artifact").get(name="index.jsonl")
    return {row["qID"] for row in rows(read(index.artifact)) if row["split"] in splits}
