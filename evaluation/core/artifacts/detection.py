"""Detect artifacts: clues and models, with their tests."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array

from corpora.core.clues.questions import Question
from corpora.core.clues.results import Family, Tested
from corpora.core.clues.search import ClueSearch
from corpora.core.items import Item
from corpora.core.metrics import choice_shares
from corpora.core.transformations import TRANSFORMATIONS
from corpora.core.transformations.results import Transformed, transform_each
from evaluation.core.artifacts.contrasts import Contrasts
from evaluation.core.artifacts.kernels import encoding_kernel, text_kernels
from evaluation.core.artifacts.measures import Credits, tested
from evaluation.core.artifacts.permutations import held_out_credits, relabelled
from evaluation.core.artifacts.results import EXCERPTS, LEVEL, Artifacts, titled
from stats.groups import group_numbers


def searches(items: Sequence[Item]) -> tuple[ClueSearch, ...]:
    """Count all clues in items of the form 'blank' with two options.

    A group is one throw, as in `relabelled`. Of a group of more than two items, the first two are
    read.
    """
    groups: dict[str, list[Item]] = {}
    for item in items:
        if len(item.options) == 2:
            groups.setdefault(item.group, []).append(item)
    pairs = [group[:2] for group in groups.values() if len(group) > 1]
    alone = [group for group in groups.values() if len(group) == 1]
    return tuple(_clue_search(units) for units in (pairs, alone) if units)


def families(found: Sequence[ClueSearch], *, n_tests: int) -> tuple[Family, ...]:
    """Test the clues of each kind, corrected for their number and for ``n_tests`` kinds and models.

    Returns
    -------
    tuple of Family
        Their p is corrected for all tests of the set, by Bonferroni's method over kinds.
    """
    level = LEVEL / n_tests
    tested = (family for search in found for family in search.families(level=level))
    return tuple(
        replace(
            artifact,
            alpha=LEVEL,
            found=_corrected(artifact.found, n_tests),
            nearest=_corrected(artifact.nearest, n_tests),
        )
        for artifact in tested
    )


def _corrected(tests: Sequence[Tested], n_tests: int) -> tuple[Tested, ...]:
    return tuple(replace(test, p_corrected=min(1.0, n_tests * test.p_corrected)) for test in tests)


def _clue_search(units: Sequence[Sequence[Item]]) -> ClueSearch:
    search = ClueSearch(paired=len(units[0]) == 2)
    labels = np.array([1 if unit[0].answer == 1 else -1 for unit in units], dtype=np.int8)
    search.add([_unit(unit) for unit in units], labels)
    return search


def _unit(items: Sequence[Item]) -> tuple[Question, ...]:
    """Return the items' questions; the second lists its options so that the answers differ."""
    first, *rest = items
    return (_question(first), *(_question(one, turned=one.answer == first.answer) for one in rest))


def _question(item: Item, *, turned: bool = False) -> Question:
    one, two = item.options
    return Question(item.sentence, (two, one) if turned else (one, two), listed=-1 if turned else 1)


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Of a search with up to `USUAL_TESTS` tests; of more tests in proportion, since the smallest p that
# relabellings can give is multiplied by their number.
RELABELLINGS = 999
USUAL_TESTS = 14
LEAST_GROUPS = 10

# By the text that a scorer sees: its scores of the options (k,) by the item's id, or why it has
# none.
ScoresByText = Mapping[str, Mapping[str, Floats] | str]


def full_sentence(items: Sequence[Item]) -> Transformed:
    """Return the items as blanks, unchanged."""
    return transform_each(items, lambda item: [item])


TEXTS: Mapping[str, Callable[[Sequence[Item]], Transformed]] = {
    "full_sentence": full_sentence,
    **{name: TRANSFORMATIONS[name] for name in EXCERPTS},
}
OPTION_POSITION = "option_position"


def detect_artifacts(
    items: Sequence[Item],
    *,
    seed: int,
    encodings: Mapping[str, Sequence[NDArray[np.floating]]] | None = None,
    scorers: Mapping[str, ScoresByText] | None = None,
    texts: Collection[str] | None = None,
    whole: Sequence[Item] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Artifacts:
    """Look for leaks of the answer in texts that should not determine it.

    Parameters
    ----------
    items : sequence of Item
        With answers, and any number of options.
    seed : int, at least 0
        Draws folds and relabellings.
    encodings : mapping of str to sequence of float (k, d), optional
        For every item, the encoding of each option; an array (n, k, d), or a list if the numbers
        of options differ.
    scorers : mapping of str to mapping, optional
        By the scorer's name in words: its scores of texts of `TEXTS`, for every item of that text.
        It must not have learned from the answers.
    texts : collection of str, optional
        Of `TEXTS`: only the detectors that see these. By default all, the position of the right
        option, and single clues.
    whole : sequence of Item, optional
        The set of which ``items`` are a sample, with answers: single clues are counted in it.
    progress : callable, optional
        Called with the number of detectors done, and their total.

    Returns
    -------
    Artifacts
        One result for each text of `TEXTS`, for the position of the right option in the list of
        options, for each encoding, and for each text of each scorer. Detectors that see fewer than
        10 groups are not run. One family of single clues for each kind, in pairs and in unpaired
        items with two options.

    Raises
    ------
    ValueError
        When an answer is missing, encodings do not fit the items or are not finite, or the scores
        of an item are missing.

    Notes
    -----
    Each detector is a weighted sum of ridge regressions on features of the options
    (`text_kernels`), evaluated by cross-validation over 10 folds of whole groups. It is compared
    with the same models after random relabellings of whole groups, which keep twins opposite. That
    is exact for any dependence between folds and twins, and gives each accuracy its own chance
    level. ``full_sentence`` is the comparison: what a linear model learns from everything. The
    choices of a scorer are compared with the same relabellings; they stay the same.

    Source: WinoGrande §4.1 (local context); Back to Square One §5 (no candidates, part sentence);
    candidates only as the hypothesis-only baseline of Poliak et al. (2018); the test is Fisher's
    randomisation test (Ojala and Garriga, Permutation tests for studying classifier performance,
    JMLR 2010); Holm (1979).
    """
    _require_answers([*items, *(whole or ())])
    arrays = {name: _checked(name, rows, items) for name, rows in (encodings or {}).items()}
    seen_texts = {
        name: transform(items)
        for name, transform in TEXTS.items()
        if texts is None or name in texts
    }
    everything = Transformed(list(items), Counter())
    steps = [
        *(_Step(name, seen) for name, seen in seen_texts.items()),
        *([_Step(OPTION_POSITION, seen_texts["full_sentence"])] if texts is None else []),
        *(_Step(name, everything, encoding=array) for name, array in arrays.items()),
        *(
            _Step(name, seen_texts[name], scorer=scorer, scores=scores)
            for scorer, by_text in (scorers or {}).items()
            for name, scores in by_text.items()
        ),
    ]
    clues = searches(full_sentence(whole or items).items) if texts is None else ()
    n_kinds = sum(clue.n_kinds for clue in clues)
    times = RELABELLINGS * max(USUAL_TESTS, 2 * len(steps) + n_kinds) // USUAL_TESTS
    not_run: dict[str, str] = {}
    runs = []
    for done, step in enumerate(steps, 1):
        if reason := step.why_not:
            not_run[step.title] = reason
        else:
            runs.append(_run(step, times, seed))
        if progress is not None:
            progress(done, len(steps))
    detected, n_tests = tested(runs, n_others=n_kinds)
    return Artifacts(detected, not_run, families(clues, n_tests=n_tests) if n_kinds else ())


@dataclass(frozen=True, slots=True)
class _Step:
    """A detector: what it sees, and its features or its scores if it has any."""

    name: str
    seen: Transformed
    encoding: Floats | None = None
    scorer: str = ""
    scores: Mapping[str, Floats] | str | None = None

    @property
    def title(self) -> str:
        return titled(self.name, self.scorer)

    @property
    def why_not(self) -> str:
        """Why it cannot be run; empty if it can."""
        if len({item.group for item in self.seen.items}) < LEAST_GROUPS:
            return f"fewer than {LEAST_GROUPS} groups have such a text"
        return self.scores if isinstance(self.scores, str) else ""


def _run(step: _Step, times: int, seed: int) -> Credits:
    items = step.seen.items
    contrasts = Contrasts(np.array([len(item.options) for item in items], dtype=np.int64))
    groups = group_numbers([item.group for item in items])
    answers = np.array([(item.answer or 0) - 1 for item in items], dtype=np.int64)
    labels = relabelled(answers, contrasts.sizes, groups, times=times, seed=seed)
    if step.name == OPTION_POSITION:
        credits = _most_frequent(labels)
    elif step.scores is not None:
        credits = _of_scores(items, step.scores, labels)
    else:
        kernels = (
            text_kernels(items, contrasts)
            if step.encoding is None
            else [encoding_kernel(step.encoding, contrasts)]
        )
        credits = held_out_credits(kernels, contrasts, labels, groups, seed=seed)
    return Credits(step.name, credits, groups, dict(step.seen.dropped), step.scorer)


def _of_scores(items: Sequence[Item], scores: Mapping[str, Floats] | str, labels: Ints) -> Floats:
    """Return the credit of each item under every labelling, for scores that stay the same."""
    assert not isinstance(scores, str)
    if missing := [item.id for item in items if item.id not in scores]:
        raise ValueError(f"scorers must have scores of every item, got none for {missing[0]!r}")
    shares = choice_shares([scores[item.id] for item in items])
    table = np.zeros((len(items), max(map(len, shares))))
    for row, share in enumerate(shares):
        table[row, : len(share)] = share
    return np.take_along_axis(table, labels, axis=1)


def _most_frequent(labels: Ints) -> Floats:
    """Return where the answer is at the position that is right most often: (n, m).

    It is not cross-validated: among relabellings the most frequent position is chosen as well, and
    in a balanced set the training folds would always choose the wrong one.
    """
    counts = np.stack([(labels == place).sum(axis=0) for place in range(labels.max() + 1)])
    return np.asarray(labels == counts.argmax(axis=0), dtype=np.float64)


def _require_answers(items: Sequence[Item]) -> None:
    for item in items:
        if item.answer is None:
            raise ValueError(f"items must have answers, got none for {item.id!r}")


def _checked(name: str, encoding: Sequence[NDArray[np.floating]], items: Sequence[Item]) -> Floats:
    """Return the encodings of all options of all items below each other."""
    if len(encoding) != len(items):
        raise ValueError(f"encodings[{name!r}] must have {len(items)} entries, got {len(encoding)}")
    for item, rows in zip(items, encoding, strict=True):
        if np.shape(rows)[:1] != (len(item.options),):
            raise ValueError(
                f"encodings[{name!r}] must have {len(item.options)} rows for {item.id!r}, "
                f"got the shape {np.shape(rows)}"
            )
    if not items:
        return np.zeros((0, 1))
    return np.asarray(check_array(np.concatenate(list(encoding)), dtype=np.float64))
