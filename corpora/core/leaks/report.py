"""Search the published files of a release for leaks, alone and with those of other releases."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from corpora.core.leaks.clues import Clue
from corpora.core.leaks.elsewhere import Elsewhere, clues_elsewhere
from corpora.core.leaks.files import PublishedFile, files_section
from corpora.core.leaks.known import KnownAnswers
from corpora.core.leaks.results import LeakReport
from corpora.core.leaks.search import Search, searched

Files = Sequence[PublishedFile]

ALPHA = 0.01
BLIND = ("test",)


def leak_report(
    files: Files,
    *,
    name: str = "",
    earlier: Mapping[str, Files] | None = None,
    blind: Collection[str] = BLIND,
    alpha: float = ALPHA,
) -> LeakReport:
    """Test whether anything published tells the answers, apart from the meaning of the sentences.

    Parameters
    ----------
    files : sequence of PublishedFile
        All files of questions of the release, in any order.
    name : str
        Of the release.
    earlier : mapping of str to sequence of PublishedFile, optional
        The files of the other releases of the same questions. Rows are matched by sentence, and
        each release is examined with the help of all others.
    blind : collection of str
        The splits whose labels are secret.
    alpha : float in (0, 1)
        The probability that any leak is found where none is, over all tests of the report.

    Returns
    -------
    LeakReport
        A section for each split of the release; for each split of each release, examined with the
        others, if there are any; and for whole files.

    Raises
    ------
    ValueError
        As for `units` and `blocks`, or when ``alpha`` is out of range.

    Notes
    -----
    A pair is one throw, since twins answer oppositely: a clue is right on both or on none. Where
    the order of options is drawn as a fair coin for each pair, each label is a fair coin, whatever
    the sentences, the filter and the ids are. So the tests of clues that do not compare the
    options are exact. Clues of the texts (`corpora.core.clues`) are tested once, in the labelled
    splits of the release by itself. ``alpha`` is divided equally among sections, in a section with
    texts among publication and texts, and then among `FAMILIES` and `KINDS`; within a family,
    Holm's method applies.

    Source: Holm (Scandinavian Journal of Statistics 1979).
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be above 0 and below 1, got {alpha}")
    releases = {**(earlier or {}), name: files}
    searches = list(_searches(releases, name, blind))
    share = alpha / (len(searches) + 1)
    whole = files_section(releases, name=name, blind=blind, alpha=share)
    return LeakReport(alpha, (*map(partial(searched, alpha=share), searches), whole))


def _searches(releases: Mapping[str, Files], name: str, blind: Collection[str]) -> Iterator[Search]:
    answers = _answer_clues(releases, blind)
    for split, part in _by_split(releases[name]):
        yield Search(name, split, part, split in blind, (), answers if split in blind else ())
    if len(releases) == 1:
        return
    places = {release: Elsewhere.of(release, files) for release, files in releases.items()}
    for release, files in releases.items():
        others = {other: place for other, place in places.items() if other != release}
        added = clues_elsewhere([*others.values()])
        for split, part in _by_split(files):
            clues = [*added, *answers] if split in blind else added
            yield Search(release, split, part, split in blind, tuple(others), clues)


def _answer_clues(releases: Mapping[str, Files], blind: Collection[str]) -> list[Clue]:
    files = [file for part in releases.values() for file in part]
    some = any(file.split in blind for file in files)
    return KnownAnswers.of(files, blind).clues if some else []


def _by_split(files: Files) -> Iterator[tuple[str, Files]]:
    for split in dict.fromkeys(file.split for file in files):
        yield split, [file for file in files if file.split == split]
