"""How many real twins pass which rule, and how many get which warning.

The crowd's own twins (``authoring``, paid for) and WinoGrande's whole twins (``train_l``,
published): each set is one campaign, and each twin is advised on as if it came last – itself left
out of everything that is counted. A warning that more than `NOISE` of real twins get is noise.
Nobody recorded who wrote them, so each `EACH_WRITES` in the order of the file are one writer's;
`TRAIN` of them are in train, and before splits are drawn no answers of others count at all.

Then the same twins spoiled on purpose: how often the warning comes that ought to.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from benchmarks.report import result, table
from benchmarks.spoiled import Spoiled, spoiled_sample, ways_to_spoil
from benchmarks.twins import authored_twins, published_twins, store
from collection.core.findings import ADVICE, RULES, WARNINGS
from collection.core.rules import Domain, TwinDraft, check_twin

NOISE = 0.15
QUICK_TWINS = 400
SPOILED = {False: 1_000, True: 100}  # twins spoiled in each way
ANY = "any warning"
EACH_WRITES = 100
TRAIN = 0.8
ASSOCIATIONS = ("local_association", "pair_association")


@dataclass(frozen=True)
class Statistics:
    """What one set of twins gets: codes counted, and (spoiled, warned of) by way and code."""

    name: str
    twins: int
    counts: Counter[str]
    spoiled: Mapping[tuple[str, str], tuple[int, int]]

    def share(self, code: str) -> float:
        return self.counts[code] / self.twins


def show_statistics(*, quick: bool) -> None:
    """Print both tables and the ``RESULT`` line; needs a database."""
    sets = {"authoring": list(authored_twins()), "train_l": list(map(_placed, published_twins()))}
    found = [statistics(name, drafts, quick=quick) for name, drafts in sets.items()]
    noisy = [code for code in (*WARNINGS, *ADVICE) if max(_shares(found, code)) >= NOISE]
    _show_real(found, noisy)
    _show_spoiled(found)
    result(
        **{f"{each.name}_twins": each.twins for each in found},
        **{f"{each.name}_passed": 1 - each.share("refused") for each in found},
        **{f"{each.name}_warned": each.share(ANY) for each in found},
        most_frequent_warning=max(max(_shares(found, code)) for code in (*WARNINGS, *ADVICE)),
        noise=len(noisy),
    )


def _shares(found: Sequence[Statistics], code: str) -> list[float]:
    return [each.share(code) for each in found]


def _show_real(found: Sequence[Statistics], noisy: Sequence[str]) -> None:
    rows = []
    for code in (*RULES, *ADVICE, *map(_undrawn, ASSOCIATIONS), ANY):
        if any(_shares(found, code)):
            level = "refuses" if code in {*RULES} - {*WARNINGS} else "warns"
            cells = (f"{each.counts[code]:,} = {each.share(code):.2%}" for each in found)
            rows.append((code, level, *cells, "NOISE" if code in noisy else ""))
    table(("found", "level", *(f"{each.name} ({each.twins:,})" for each in found), ""), rows)


def _show_spoiled(found: Sequence[Statistics]) -> None:
    keys = list(dict.fromkeys(key for each in found for key in each.spoiled))
    rows = []
    for what, code in keys:
        cells = []
        for each in found:
            number, hits = each.spoiled.get((what, code), (0, 0))
            cells.append(f"{hits:,} of {number:,} = {hits / number:.1%}" if number else "–")
        rows.append((what, code, *cells))
    table(("spoiled", "warning", *(each.name for each in found)), rows)


def _placed(draft: TwinDraft) -> TwinDraft:
    """Guess the domain, which WinoGrande does not record: people's names have capitals."""
    is_social = all(option[:1].isupper() for option in draft.options)
    return replace(draft, domain=Domain.SOCIAL if is_social else Domain.PHYSICAL)


def statistics(name: str, drafts: Sequence[TwinDraft], *, quick: bool) -> Statistics:
    """Count the twins with each code, those refused and those warned of."""
    from tests.factories import CampaignFactory, UserFactory

    sound = [draft for draft in drafts if check_twin(draft).accepted]
    campaign = CampaignFactory()
    stored = [
        twin
        for start in range(0, len(sound), EACH_WRITES)
        for twin in store(campaign, UserFactory(), sound[start : start + EACH_WRITES])
    ]
    step = max(1, len(drafts) // QUICK_TWINS) if quick else 1
    twin_of = dict(zip(map(id, sound), stored, strict=True))
    counts = Counter[str]()
    for draft in drafts[::step]:
        if id(draft) in twin_of:
            found = advised(campaign, draft, twin=twin_of[id(draft)])
            counts.update(_undrawn(code) for code in found & {*ASSOCIATIONS})
    draw(stored)
    for draft in drafts[::step]:
        report = check_twin(draft)
        counts["refused"] += not report.accepted
        codes = {*report.codes}
        if report.accepted:
            codes |= advised(campaign, draft, twin=twin_of[id(draft)])
        counts.update(codes)
        counts[ANY] += bool(codes & {*WARNINGS, *ADVICE})
    spoiled = {
        (way.what, code): hits
        for way in ways_to_spoil(sound)
        for code, hits in _spoiled(campaign, sound, stored, way, limit=SPOILED[quick]).items()
    }
    return Statistics(name, len(drafts[::step]), counts, spoiled)


def _spoiled(
    campaign: Any, drafts: Sequence[TwinDraft], stored: Sequence[Any], way: Spoiled, *, limit: int
) -> dict[str, tuple[int, int]]:
    """Return for each warning how many twins were spoiled, and how many of them get it."""
    sample = spoiled_sample(drafts, way, limit=limit)
    counts = Counter[str]()
    for place, draft in sample.items():
        codes = advised(campaign, draft, twin=stored[place], counts=way.is_stored)
        counts.update(codes | check_twin(draft).codes)
    return {code: (len(sample), counts[code]) for code in way.codes if sample}


def _undrawn(code: str) -> str:
    return f"{code}, before splits"


def draw(twins: Sequence[Any]) -> None:
    """Store a split for each twin, as a snapshot does."""
    from django.db import connection

    from corpora.models import Draw

    random = Random(5)
    Draw.objects.bulk_create(
        Draw(
            twin=twin,
            split="train" if random.random() < TRAIN else "test",
            origin="linked",
            is_pair=True,
        )
        for twin in twins
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE corpora_draw")  # as autovacuum does


def advised(campaign: Any, draft: TwinDraft, *, twin: Any, counts: bool = False) -> set[str]:
    """Return the codes of the advice to a twin's author; it does not count, unless *counts*."""
    from collection import services

    text = services.TwinText(
        sentences=draft.sentences,
        options=draft.options,
        answers=draft.answers,
        anchor=draft.anchor or "",
        domain=draft.domain or "",
    )
    findings = services.advise(
        campaign=campaign, text=text, author=twin.author, leave_out=None if counts else twin
    )
    return {finding.code for finding in findings}
