"""The tables of a paper kit, each as LaTeX and as Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass

from corpora.core.bundle.facts import Figure, HumanPerformance, PeopleFigure
from corpora.core.bundle.filter_facts import fresh_results, settings_of
from corpora.core.bundle.layout import DEBIASED, DEV, FULL
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import code, markdown, number, one_line, table
from evaluation.core.paper_kit.facts import KitFacts
from evaluation.core.paper_kit.results_text import MEASURES
from tabular.writing import latex, latex_table

PARTS = {"answer": "answer", "ambiguity": "ambiguity", "local": "text near the blank"}
LONGEST = 48
"""Characters of a cell; longer ones, such as hashes, are cut in LaTeX."""


@dataclass(frozen=True, slots=True)
class KitTable:
    """A table of texts; ``columns`` are LaTeX alignments, the first column is a name."""

    name: str
    caption: str
    columns: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tables(facts: KitFacts) -> list[KitTable]:
    """Return the tables for which the release has figures."""
    about = facts.manifest
    made = (_statistics(about), _agreement(about), _pay(facts), _filter(about), _baselines(facts),
            _people(about))  # fmt: skip
    return [one for one in made if one.rows]


def to_latex(one: KitTable, *, about: tuple[str, ...] = ()) -> str:
    """Return the ``tabular`` of a table."""
    head = [[latex(cell) for cell in one.head]]
    rows = [[latex(_cut(cell)) for cell in row] for row in one.rows]
    made = latex_table(one.columns, head, [rows], about=about)
    return f"%@ {key_of(one)}\n{made}"


def _cut(cell: str) -> str:
    line = one_line(cell)
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def to_markdown(one: KitTable) -> str:
    """Return a table below its caption."""
    rows = ([code(row[0]), *map(markdown, row[1:])] for row in one.rows)
    return f"<!-- @{key_of(one)} -->\n{one.caption}\n\n{table(one.head, rows)}\n"


def key_of(one: KitTable) -> str:
    """Return the key by which ``verify --text`` knows a table."""
    return f"table.{one.name}"


def _statistics(about: Manifest) -> KitTable:
    rows = []
    for stem in about.stems:
        split = about.splits[stem]
        right = "secret" if split.label_1 is None else number(split.label_1)
        sizes = map(number, (split.questions, split.pairs, split.unpaired))
        means = map(number, (split.mean_words, split.mean_tokens, split.vocabulary))
        rows.append((stem, *sizes, right, *means))
    return KitTable(
        "statistics",
        "Questions of each file. Words are separated by white space; tokens are those of the Penn "
        "Treebank's rules, and the vocabulary is the number of different ones.",
        "lrrrrrrr",
        ("file", "questions", "pairs", "unpaired", "option 1 right", "words", "tokens",
         "vocabulary"),
        tuple(rows),
    )  # fmt: skip


def _figure(figure: Figure | None) -> tuple[str, str, str]:
    if figure is None:
        return "unknown", "unknown", "0"
    if figure.value is None:
        return "not defined", "–", number(figure.n)
    return _value(figure.value), _ends(figure.low, figure.high), number(figure.n)


def _ends(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{_value(low)} to {_value(high)}"


def _value(value: float) -> str:
    return number(value, 3).replace("-", "−")


def _agreement(about: Manifest) -> KitTable:
    rows = [
        (f"{name} of the {subject}", *_figure(about.agreement[f"{part}_{measure}"]))
        for part, subject in PARTS.items()
        for measure, name in MEASURES.items()
        if f"{part}_{measure}" in about.agreement
    ]
    return KitTable(
        "agreement",
        "Agreement of the votes that were due. Intervals are over pairs, for these validators.",
        "lrrr",
        ("measure", "value", "95 % interval", "questions"),
        tuple(rows),
    )


def _pay(facts: KitFacts) -> KitTable:
    about = facts.manifest.collection
    return KitTable(
        "pay",
        "Pay for a pair (writing) and for a vote (validating), and the median over people of what "
        "an hour of the work on these questions paid.",
        "llrr",
        ("work", "pay", "questions or votes", "people"),
        tuple(_paid(facts)) if about.written or about.votes + about.votes_excluded else (),
    )


def _paid(facts: KitFacts) -> Iterator[tuple[str, ...]]:
    about = facts.manifest.collection
    for work in ("writing", "validating"):
        for amount, n in sorted(about.pay.get(work, {}).items()):
            paid = f"{amount} {about.currency}" if amount else "not recorded"
            yield work, paid, number(n), "–"
        hour = about.hourly_pay.get(work)
        if hour is not None and hour.median is not None:
            yield work, f"{hour.median} {about.currency} an hour", "–", number(hour.n)


def _filter(about: Manifest) -> KitTable:
    rows: list[tuple[str, ...]] = []
    if about.selection is not None:
        if DEBIASED in about.splits and FULL in about.splits:
            before, after = about.splits[FULL], about.splits[DEBIASED]
            rows += [
                ("training questions", number(before.questions), number(after.questions)),
                ("training pairs", number(before.pairs), number(after.pairs)),
                ("vocabulary", number(before.vocabulary), number(after.vocabulary)),
            ]
        rows += _fresh(about)
    return KitTable(
        "filter",
        "Before and after the filter: the training set, and on which side of chance fresh linear "
        "models are on all questions. An accuracy from “detectable” on would have been found with "
        "a probability of at least 80 %.",
        "lrr",
        ("", "before", "after"),
        tuple(rows),
    )


def _fresh(about: Manifest) -> Iterator[tuple[str, ...]]:
    fresh = fresh_results(about.selection)
    if not fresh:
        return
    sides = [fresh.get(when, {}) for when in ("before", "after")]
    for key, name in (
        ("direction", "fresh models"),
        ("n", "questions"),
        ("detectable", "detectable"),
    ):
        yield name, *(_cell(side.get(key)) for side in sides)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return _value(value)
    return number(value) if isinstance(value, int) else str(value or "not measured")


def settings(about: Manifest) -> KitTable:
    """Return the settings of the filter and its encoding; no rows without a filter."""
    rows = tuple(settings_of(about.selection))
    return KitTable("filter-settings", "Settings of the filter.", "ll", ("setting", "value"), rows)


def _baselines(facts: KitFacts) -> KitTable:
    rows: list[tuple[str, ...]] = [("random guess (expected)", "0.500", "0.250")]
    one = facts.baseline
    if one is not None:
        pairs = _value(one.right_pairs / one.pairs) if one.pairs else "–"
        rows.append((f"always option {one.option}", _value(one.right / one.questions), pairs))
    for human in facts.manifest.human:
        shares = (_figure(human.majority)[0], _figure(human.group)[0])
        rows.append((f"majority of people, {whom(human)}", *shares))
    return KitTable(
        "baselines",
        "Accuracy on questions and on complete pairs: of dev, or for people those that are named. "
        "The constant answer is the one that is right at least as often as the other in the full "
        "training set.",
        "lrr",
        ("answers", "questions", "pairs"),
        tuple(rows)
        if DEV in facts.manifest.splits and facts.manifest.splits[DEV].questions
        else (),
    )


def whom(human: HumanPerformance) -> str:
    """Return the name of the questions that people were asked."""
    if not human.release and human.split == "all":
        return "snapshot"
    return f"{human.release} {human.split}".strip()


def _people(about: Manifest) -> KitTable:
    rows = []
    for human in about.human:
        where = whom(human)
        shares: dict[str, PeopleFigure | None] = {
            "votes": human.individual, "majorities": human.majority, "pairs": human.group,
        }  # fmt: skip
        for name, figure in shares.items():
            people = _ends(figure.people_low, figure.people_high) if figure else "–"
            rows.append((where, f"right {name}", *_figure(figure), people, number(human.people)))
    return KitTable(
        "people",
        "People's performance from fresh votes. The first interval is for these people, the second "
        "for people like them.",
        "llrrrrr",
        ("questions", "share", "value", "95 % interval", "n", "people like them", "people"),
        tuple(rows),
    )
