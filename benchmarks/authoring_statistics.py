"""How many real twins pass which rule, and how many get which warning.

The crowd's own twins (``authoring``, paid for) and WinoGrande's whole twins (``train_l``,
published): each set is one campaign, and each twin is advised on as if it came last – itself left
out of everything that is counted. A warning that more than `NOISE` of real twins get is noise.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.report import result, table
from benchmarks.twins import authored_twins, published_twins, store
from collection.core.findings import ADVICE, RULES, WARNINGS
from collection.core.rules import Domain, TwinDraft, check_twin

NOISE = 0.15
QUICK_TWINS = 400


def show_statistics(*, quick: bool) -> None:
    """Print the table and the ``RESULT`` line; needs a database."""
    sets = {"authoring": list(authored_twins()), "train_l": list(map(_placed, published_twins()))}
    counts = {name: counted(drafts, quick=quick) for name, drafts in sets.items()}
    sizes = {name: count.pop("twins") for name, count in counts.items()}
    rows = []
    for code in (*RULES, *ADVICE):
        shares = {name: counts[name][code] / sizes[name] for name in sets}
        if any(shares.values()):
            level = "warns" if code in WARNINGS or code in ADVICE else "refuses"
            cells = (
                f"{round(share * sizes[name]):,} = {share:.2%}" for name, share in shares.items()
            )
            noise = "NOISE" if level == "warns" and max(shares.values()) >= NOISE else ""
            rows.append((code, level, *cells, noise))
    table(("found", "level", *(f"{name} ({sizes[name]:,})" for name in sets), ""), rows)
    warning = max(
        counts[name][code] / sizes[name] for name in sets for code in (*WARNINGS, *ADVICE)
    )
    result(
        **{f"{name}_twins": sizes[name] for name in sets},
        **{f"{name}_passed": 1 - counts[name]["refused"] / sizes[name] for name in sets},
        most_frequent_warning=warning,
        noise=sum(bool(row[-1]) for row in rows),
    )


def _placed(draft: TwinDraft) -> TwinDraft:
    """Guess the domain, which WinoGrande does not record: people's names have capitals."""
    is_social = all(option[:1].isupper() for option in draft.options)
    return replace(draft, domain=Domain.SOCIAL if is_social else Domain.PHYSICAL)


def counted(drafts: Sequence[TwinDraft], *, quick: bool) -> Counter[str]:
    """Count the twins with each code, and those that are refused; ``twins`` is how many."""
    from tests.factories import CampaignFactory, UserFactory

    sound = [draft for draft in drafts if check_twin(draft).accepted]
    stored = store(campaign := CampaignFactory(), UserFactory(), sound)
    pairs = list(zip(sound, stored, strict=True))
    step = max(1, len(pairs) // QUICK_TWINS) if quick else 1
    counts = Counter[str](twins=len(drafts[::step]))
    for draft in drafts[::step]:
        report = check_twin(draft)
        counts.update(report.codes)
        counts["refused"] += not report.accepted
    for draft, twin in pairs[::step]:
        counts.update(set(advised(campaign, draft, twin)))
    return counts


def advised(campaign: Any, draft: TwinDraft, twin: Any) -> Iterator[str]:
    """Yield the codes of the advice on a stored twin, as if it were not stored yet."""
    from collection import services

    text = services.TwinText(
        sentences=draft.sentences,
        options=draft.options,
        answers=draft.answers,
        anchor=draft.anchor or "",
        domain=draft.domain or "",
    )
    for finding in services.advise(campaign=campaign, text=text, leave_out=twin):
        yield finding.code
