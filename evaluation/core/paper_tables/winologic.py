"""Tables 2 to 5 of WinoLogic (He et al., EMNLP 2021), and two that the paper lacks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from evaluation.core.paper_tables.layout import Column, PaperTable, Published, Row
from knowledge.core import published
from knowledge.core.published import KINDS, VARIANTS
from knowledge.core.reasons import TYPES
from knowledge.core.tables import pooled, shares

PAPER = "He, Huang, Liu and Zhu: WinoLogic (EMNLP 2021)"
BASELINES = {
    1: "Baseline 1, likelihood",
    2: "Baseline 2, classifier",
    3: "Baseline 3, entailment",
}
PEOPLE = "people"
TRUE, FALSE = "true", "false"
OF_BASELINE = {
    1: published.TABLE_2_BASELINE_1,
    2: published.TABLE_2_BASELINE_2,
    3: published.TABLE_3,
}


def _cell(share: float, sd: float | None = None) -> Published:
    return Published(f"{100 * share:.4g}", "" if sd is None else f"{sd:g}")


def _ties() -> tuple[str, ...]:
    """Return how Table 4 ties to the means over models of Tables 2 and 3, from its counts."""
    sizes = {"n_true": published.N_TRUE, "n_false": published.N_FALSE}
    lines = []
    for number, table in OF_BASELINE.items():
        models = [row["variable"] for name, row in table.items() if name != published.MAJORITY]
        (true, _), (false, _) = published.TABLE_4[number, "variable"]
        lines.append(
            f"Baseline {number}, variable: {pooled(true, false, **sizes):.2%} from the two shares "
            f"and their counts; the mean of the {len(models)} models is {np.mean(models):.2%}."
        )
    return tuple(lines)


def _people() -> float:
    """Return people's share of right answers about false problems, from its counts."""
    answers = {kind: (n, 6 * KINDS[kind]) for kind, n in published.PEOPLE_RIGHT.items()}
    return shares(answers).false


VALID = (
    f"{published.N_VALID} of {published.N_PROBLEMS} problems are valid "
    f"({published.N_VALID / published.N_PROBLEMS:.2%}): {published.N_TRUE} true, "
    f"{published.N_FALSE} false ({', '.join(f'{kind} {n}' for kind, n in KINDS.items())})."
)
DEVIATIONS = "Published deviations are shares from 0 to 1."


def _of_variants(prefix: str = "", title: str = "") -> tuple[Column, ...]:
    return tuple(Column(f"{prefix}{name}", f"{title}{name}") for name in VARIANTS)


TABLE_2 = PaperTable(
    "winologic-2",
    "WinoLogic, Table 2: likelihood and classifier (accuracy in %)",
    f"{PAPER}, Table 2",
    (*_of_variants("1_", "likelihood, "), *_of_variants("2_", "classifier, ")),
    tuple(
        Row(
            name,
            "",
            name,
            (
                *(_cell(row[variant]) for variant in VARIANTS),
                *(
                    _cell(
                        published.TABLE_2_BASELINE_2[name][variant],
                        published.TABLE_2_BASELINE_2_SD[name][variant],
                    )
                    for variant in VARIANTS
                ),
            ),
        )
        for name, row in published.TABLE_2_BASELINE_1.items()
    ),
    (VALID, DEVIATIONS, "WR: fine-tuned on WSCR; WG: on WinoGrande."),
)

TABLE_3 = PaperTable(
    "winologic-3",
    "WinoLogic, Table 3: entailment (accuracy in %)",
    f"{PAPER}, Table 3",
    _of_variants(),
    tuple(
        Row(name, "", name, tuple(_cell(row[variant]) for variant in VARIANTS))
        for name, row in published.TABLE_3.items()
    ),
    (VALID,),
)

TABLE_4 = PaperTable(
    "winologic-4",
    "WinoLogic, Table 4: true and false problems (mean accuracy of models in %)",
    f"{PAPER}, Table 4",
    tuple(
        Column(f"{variant}_{label}", f"{variant}, {label}")
        for variant in VARIANTS
        for label in (TRUE, FALSE)
    ),
    tuple(
        Row(
            str(number),
            "",
            title,
            tuple(
                _cell(*share)
                for variant in VARIANTS
                for share in published.TABLE_4[number, variant]
            ),
        )
        for number, title in BASELINES.items()
    ),
    (VALID, DEVIATIONS, *_ties()),
)

TABLE_5 = PaperTable(
    "winologic-5",
    "WinoLogic, Table 5: false problems with variables by kind (mean accuracy in %)",
    f"{PAPER}, Table 5",
    tuple(
        Column(kind, f"{kind} ({n})") for kind, n in (KINDS | {FALSE: published.N_FALSE}).items()
    ),
    (
        *(
            Row(str(number), "", BASELINES[number], tuple(map(_cell, published.TABLE_5[number])))
            for number in BASELINES
        ),
        Row(PEOPLE, "", "Human", tuple(map(_cell, published.TABLE_5_PEOPLE))),
    ),
    (
        "Numbers of problems in the headings are the paper's.",
        f"Human, false: {_people():.2%} from the right ones of six answers a problem.",
    ),
)


def _own(*parts: tuple[str, str]) -> tuple[Column, ...]:
    return tuple(Column(key, title, is_published=False) for key, title in parts)


BEYOND = PaperTable(
    "knowledge-pairs",
    "Pairs with both problems right, and the share answered true (%)",
    "not in the paper",
    _own(
        *(
            (f"{variant}_{key}", f"{variant}, {title}")
            for variant in VARIANTS
            for key, title in (("pairs", "pairs"), ("answered_true", "answered true"))
        )
    ),
    (),
    (
        "Chance is 25 % of pairs and 50 % of problems.",
        "Collapsed: nearly all answers are the same (at most 5 % differ).",
    ),
)

DETECTOR = PaperTable(
    "knowledge-detector",
    "A linear model that sees the knowledge sentences of a pair alone (accuracy in %)",
    "not in the paper",
    _own(
        *(
            (f"{variant}_{key}", f"{variant}, {key}")
            for variant in VARIANTS
            for key in ("pairs", "chance")
        )
    ),
    (),
    (
        "It chooses the true sentence of each pair, without question and answer, and has learned "
        "from other questions. Chance is the mean over random relabellings.",
    ),
)

_REASON_COLUMNS = _own(
    ("accuracy", "all"),
    ("folds", "mean of folds"),
    (TRUE, "valid"),
    (FALSE, "invalid"),
    *((name, name) for name in TYPES),
    ("not_circular", "not circular"),
    ("answered_true", "answered valid"),
)
REASON_TABLE = PaperTable(
    "knowledge-reasons",
    "Reasons: valid or not (accuracy in %)",
    "not in the paper",
    _REASON_COLUMNS,
    (),
    (
        "Valid: at least 80 % of people accepted it; invalid: at most 20 %. Others are left out.",
        "A classifier is trained on four fifths of the questions and asked about the rest, twins "
        "together.",
    ),
)

KNOWLEDGE_TABLES: Mapping[str, PaperTable] = {
    table.name: table for table in (TABLE_2, TABLE_3, TABLE_4, TABLE_5, BEYOND, DETECTOR)
}
