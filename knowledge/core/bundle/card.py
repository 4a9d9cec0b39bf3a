"""README.md: the data card of a knowledge release, from its facts and figures alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from corpora.core.bundle.card import canary_part
from corpora.core.bundle.datasheet import demonstration, who_lines
from corpora.core.bundle.front_matter import creator_tags, head
from corpora.core.bundle.layout import jsonl
from corpora.core.bundle.wording import (
    UNKNOWN,
    bullets,
    markdown,
    number,
    table,
    yaml_text,
)
from knowledge.core.bundle import layout
from knowledge.core.bundle.figures import ALL, VALID
from knowledge.core.bundle.records import About
from knowledge.core.released import VARIANTS

Facts = Mapping[str, Any]
_FILES = {
    "`variable.jsonl`, `grounded.jsonl`, `natural.jsonl`": "the problems: “person X”, the "
    "question's noun phrases, “the first person”",
    "`valid/…`": "the same, of pairs whose two problems are valid",
    "`data/problems.parquet`": "all problems",
    "`pairs.jsonl`": "both sentences of a pair with their slots, and how the false one was made",
    "`questions.jsonl`": "the questions with their answers",
    "`formulas.jsonl`, `words.jsonl`, `formalisations.jsonl`": "the knowledge as formulas, the "
    "words of their predicates, the questions as formulas with what was proved",
    "`proofs.jsonl`": "each claim as an SMT-LIB 2.6 script with the answer it must give",
    "`votes.jsonl`": "annotators' answers, under names of this release alone",
    "`nli/…`": "premise (the knowledge), hypothesis (the sentence with the answer in place), label",
    "`winowhy/…`": "the columns of WinoWhy's training data; folds never part twins",
    "`statistics.json`": "the figures below",
}
_COLUMNS = {
    "id": "random; the problems of a pair share the part before the dash; the same in each variant",
    "pair": "shared by a true problem and its false version",
    "question, group": "the question, and what its twin shares with it",
    "text": "the problem as it is shown: sentence, claim and knowledge",
    "sentence, pronoun, right, wrong, knowledge": "the parts of the text",
    "label": "whether the knowledge is true and supports the answer",
    "kind": "`true`, or how the false version was made",
    "valid": "whether enough annotators gave the label; null if nobody was asked",
}
_CHECK = """```python
import json
import cvc5

for line in open("proofs.jsonl"):
    claim = json.loads(line)
    solver = cvc5.Solver()
    solver.setOption("finite-model-find", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, claim["script"], "claim")
    said = ""
    while not (command := parser.nextCommand()).isNull():
        said += command.invoke(solver, parser.getSymbolManager())
    assert said.strip() == claim["expected"], claim["claim"]
```"""


def card(about: About, statistics: Facts) -> str:
    """Return README.md."""
    parts = (
        _front_matter(about, statistics),
        f"# {markdown(about.title)}",
        *demonstration(about.people),
        _overview(about, statistics),
        "## Files",
        table(("file", "content"), _FILES.items()),
        "## Columns",
        table(("column", "content"), ((f"`{name}`", text) for name, text in _COLUMNS.items())),
        "## How alike the sentences of a pair are",
        _likeness(statistics),
        "## Kinds",
        _kinds(statistics),
        "## Validation and agreement",
        _agreement(about, statistics),
        "## Proofs",
        _proofs(statistics),
        "## Verify",
        "`sha256sum --check SHA256SUMS` compares every file with its hash. `manage.py "
        "import_knowledge` of WinoPlatform makes every file again from the records and compares "
        "them.",
        "## Known limits",
        bullets(limits(about)),
        *(part.strip() for part in canary_part(about.canary)),
    )
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _front_matter(about: About, statistics: Facts) -> str:
    configs = [{"config_name": variant, "data_files": jsonl(variant)} for variant in VARIANTS]
    if statistics["pairs"].get(VALID):
        configs += [
            {"config_name": f"{variant}_valid", "data_files": layout.valid(jsonl(variant))}
            for variant in VARIANTS
        ]
    facts = {
        **head(about, n=2 * statistics["pairs"][ALL], task="text-classification"),
        "multilinguality": ["monolingual"],
        **creator_tags(about.people),
        "tags": ["winograd-schema", "commonsense-reasoning", "natural-language-inference"],
        "configs": configs,
    }
    return f"---\n{yaml_text(facts)}---"


def _overview(about: About, statistics: Facts) -> str:
    source = {"release": "release", "reference_set": "reference set"}[about.source.kind]
    lines = (
        f"Release `{about.name}` of the knowledge set `{about.set}`, built {about.built_at}.",
        f"Authors: {', '.join(map(markdown, about.authors)) or UNKNOWN}",
        f"Licence: {markdown(about.licence) or UNKNOWN} Questions: of the {source} "
        f"`{markdown(about.source.name)}`, licence {markdown(about.source.licence) or UNKNOWN}",
        "Statements of common sense that resolve a Winograd schema question, each with a false "
        "version, after WinoLogic (He et al., EMNLP 2021). The task: whether the knowledge is true "
        "and supports the answer. Half of the problems are true.",
        f"{number(statistics['pairs'][ALL])} pairs about {number(statistics['questions'])} "
        f"questions, with {number(statistics['formulas'])} formulas.",
        *_left_out(about),
        *who_lines(about.people),
    )
    return "\n\n".join(lines)


def _left_out(about: About) -> Iterator[str]:
    texts = {
        "held_back": "about questions whose labels are held back",
        "not_a_problem": "about questions without a pronoun or a known answer",
        "unpaired": "without a false version",
    }
    for reason, n in about.left_out.items():
        yield f"Left out: {number(n)} {texts.get(reason, markdown(reason))}."


def _likeness(statistics: Facts) -> str:
    titles = ("problems", "variant", "Jaccard", "edit distance", "length difference", "pairs")
    parts = {**statistics["likeness"], "WinoLogic": statistics["likeness_published"]}
    rows = [
        (part, variant, *(number(means[name], 4) for name in _LIKE), number(means["n"]))
        for part, variants in parts.items()
        for variant, means in variants.items()
    ]
    note = "Means over pairs, on lower-case words and punctuation marks; Jaccard is of sets."
    return f"{table(titles, rows)}\n\n{note}"


_LIKE = ("jaccard", "edit_distance", "length_difference")


def _kinds(statistics: Facts) -> str:
    parts = statistics["problems"]
    kinds = parts[ALL]
    rows = [(kind, *(number(parts[part].get(kind, 0)) for part in parts)) for kind in kinds]
    return table(("kind", *parts), rows)


def validation_rule(about: About) -> str:
    """Return when a problem is valid, or that nobody was asked."""
    if about.validation is None:
        return "Nobody was asked about these problems, so none is valid or invalid."
    return (
        f"{about.validation.annotators} people answered about each problem, in its variable form; "
        f"it is valid if {about.validation.needed} or more gave its label."
    )


def likeness_line(statistics: Facts) -> Iterator[str]:
    """Yield how alike the two sentences of a pair are, in each variant."""
    means = statistics["likeness"][ALL]
    parts = (f"{variant} {number(one['jaccard'], 4)}" for variant, one in means.items())
    if means:
        yield f"Mean Jaccard similarity of the words of a pair's sentences: {', '.join(parts)}."


def _agreement(about: About, statistics: Facts) -> str:
    if about.validation is None:
        return validation_rule(about)
    rule = f"{validation_rule(about)} In `valid/` are pairs whose two problems are valid."
    figures = statistics["agreement"]
    if figures is None:
        return f"{rule}\n\nThere are no answers."
    kappa, none = figures["mean_kappa"], ("", "")
    rows = (
        ("answers", number(figures["answers"]), *none),
        ("valid problems", f"{number(figures['valid_problems'])} of {number(figures['problems'])}",
         *none),
        ("answers that equal the label", *_of_people(figures["raw"])),
        (f"mean Cohen's κ with the labels, {kappa['n']} annotators", *_of_people(kappa)),
        ("Fleiss' κ", *_of_people(figures["fleiss_kappa"])),
        ("Krippendorff's α", *_of_people(figures["alpha"])),
    )  # fmt: skip
    titles = ("figure", "value", "95 % interval, these people", "people like them")
    note = "Intervals are over pairs; the second also over people, and unknown for too few."
    return f"{rule}\n\n{table(titles, rows)}\n\n{note}"


def _of_people(people: Facts) -> tuple[str, str, str]:
    ends = ((people["low"], people["high"]), (people["people_low"], people["people_high"]))
    first, second = (
        "unknown" if None in pair else "–".join(number(end, 4) for end in pair) for pair in ends
    )
    return number(people["value"], 4), first, second


def _proofs(statistics: Facts) -> str:
    rows = [(name.replace("_", " "), number(n)) for name, n in statistics["proofs"].items()]
    return (
        f"{table(('formalised questions', 'number'), rows)}\n\nAnother prover can check each claim:"
        f"\n\n{_CHECK}"
    )


def limits(about: About) -> Iterator[str]:
    """Yield the known limits of a release, as sentences."""
    yield "A statement names the answer of its question, so these files reveal the answers."
    yield "What annotators take for common sense need not hold elsewhere."
    if about.validation is not None:
        yield "Only the variable form was judged; the others inherit its validity."
