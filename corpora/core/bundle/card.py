"""The data card, and what users of a release must know."""

from collections.abc import Mapping
from typing import Any

from corpora.core.bundle import layout
from corpora.core.bundle.canary import sentence
from corpora.core.bundle.datasheet import datasheet, demonstration
from corpora.core.bundle.front_matter import config_names, front_matter
from corpora.core.bundle.layout import BLIND, DEV, FULL
from corpora.core.bundle.manifest import Manifest, has_pairs
from corpora.core.bundle.wording import (
    UNKNOWN,
    bullets,
    count,
    markdown,
    number,
    table,
)

_FILTERS = {
    "aflite": "The filter removes what a linear model on one encoding can guess; other models may "
    "find other associations.",
    "random": "The filter is a baseline that removes questions at random: a model may use "
    "associations of words.",
    "pmi": "The filter is a baseline that removes questions whose words tell the answer; models "
    "may find other associations.",
}
UNCERTAIN, EMPTY = "figures on it are uncertain.", "has no questions."
"""How warnings about few pairs end."""


def few_pairs(splits: Mapping[str, Mapping[str, Any]], *, min_pairs: int) -> list[str]:
    """Return a warning for each split with fewer complete pairs than *min_pairs*."""
    return [
        f"{name} {EMPTY}"
        if not splits[name]["questions"]
        else f"{name} has {count(splits[name]['pairs'], 'complete pair')}, fewer than {min_pairs}: "
        f"{UNCERTAIN}"
        for name in (FULL, DEV, BLIND)
        if splits[name]["pairs"] < min_pairs
    ]


def limits(
    splits: Mapping[str, Mapping[str, Any]],
    *,
    near_duplicate: float,
    selection: Mapping[str, Any] | None,
) -> list[str]:
    """Return the known limits of a release, as sentences.

    Parameters
    ----------
    splits : mapping
        The figures of each file, as `bundle.facts.SplitFacts` has them.
    near_duplicate : float
        The similarity to a blind question from which a question was left out.
    selection : mapping, or None
        As in `manifest.Manifest`.
    """
    sentences = [
        "Near-duplicates of blind questions are found by common trigrams of their content words, "
        f"from a similarity of {near_duplicate:g}; rephrased ones are not recognised."
    ]
    if selection is None:
        sentences.append("The training set is not filtered: a model may use associations of words.")
    else:
        sentences.append(_FILTERS.get(_method(selection), _FILTERS["aflite"]))
    unpaired = splits[BLIND]["unpaired"]
    if unpaired:
        have = "has" if unpaired == 1 else "have"
        sentences.append(f"{count(unpaired, 'question')} of the blind test {have} no twin in it.")
    return sentences


def _method(selection: Mapping[str, Any]) -> str:
    settings = selection.get("filter")
    return str(settings.get("method")) if isinstance(settings, Mapping) else ""


_COLUMNS = {
    "qID": "random; the questions of a pair share the part before the last dash",
    "sentence": "one sentence or more with exactly one blank, `_`",
    "option1": "what may fill the blank; the order of the options is random",
    "option2": "the other option; the same two for both questions of a pair",
    "answer": "`1` or `2`; empty in `test`",
    "domain": "`social`, `physical` or empty",
    "origin": "how the text was entered",
}


def card(manifest: Manifest) -> str:
    """Return README.md."""
    parts = (
        front_matter(manifest),
        f"# {markdown(manifest.title)}\n",
        *demonstration(manifest.people),
        _overview(manifest),
        "## Splits\n",
        _splits(manifest),
        "## Columns\n",
        table(("column", "content"), ((f"`{name}`", text) for name, text in _COLUMNS.items())),
        "## Load\n",
        _load(manifest),
        "## Evaluate\n",
        _evaluate(manifest),
        "## Verify\n",
        _verify(manifest),
        *canary_part(manifest.canary),
        datasheet(manifest),
    )
    return "\n".join(part if part.endswith("\n") else f"{part}\n" for part in parts)


def _overview(manifest: Manifest) -> str:
    authors = ", ".join(map(markdown, manifest.authors)) or UNKNOWN
    lines = (
        f"Release `{manifest.name}`, version {manifest.version}, built {manifest.built_at}.",
        f"Authors: {authors}",
        f"Licence: {markdown(manifest.licence) or UNKNOWN}",
        f"{_what(manifest)} (Sakaguchi et al., AAAI 2020). The task: which of two options fills "
        "the blank.",
    )
    return "\n\n".join(lines)


def _what(manifest: Manifest) -> str:
    if has_pairs(manifest):
        return (
            "Pairs of sentences that differ in a few words and have opposite answers, as in "
            "WinoGrande"
        )
    return "Sentences in the form of WinoGrande, each without its twin"


def _splits(manifest: Manifest) -> str:
    head = ("file", "questions", "pairs", "unpaired", "first option right", "words", "tokens",
            "vocabulary", "domains")  # fmt: skip
    rows = []
    for stem in manifest.stems:
        facts = manifest.splits[stem]
        label = "secret" if facts.label_1 is None else number(facts.label_1)
        sizes = map(number, (facts.questions, facts.pairs, facts.unpaired))
        means = map(number, (facts.mean_words, facts.mean_tokens, facts.vocabulary))
        rows.append((f"`{stem}`", *sizes, label, *means, _counts(facts.domains)))
    note = (
        "Words are separated by white space. Tokens are those of the Penn Treebank's rules, in "
        "lower case; the vocabulary is the number of different ones. Each training size but the "
        "largest has complete pairs only, a quarter of those of the next size (rounded down), and "
        "is a part of it."
    )
    return f"{table(head, rows)}\n\n{note}"


def _counts(counts: Mapping[str, int]) -> str:
    named = (f"{markdown(name or 'none')} {number(n)}" for name, n in sorted(counts.items()))
    return ", ".join(named) or "unknown"


def _load(manifest: Manifest) -> str:
    names = ", ".join(f"`{name}`" for name in config_names(manifest))
    training = layout.training_stem(manifest.stems)
    code = f"""```python
from datasets import load_dataset

data = load_dataset("{manifest.name}")  # the folder of this file

import pandas

dev = pandas.read_parquet("{manifest.name}/data/dev.parquet")
```"""
    return (
        f"{code}\n\nConfigurations: {names}. The default has `{training}` as its training set. "
        "Splits without questions are left out. The `.jsonl` and `-labels.lst` files have "
        "WinoGrande's layout; `croissant.json` describes the Parquet files for `mlcroissant`."
    )


def _evaluate(manifest: Manifest) -> str:
    return f"""`score.py` needs Python alone. It reads predictions for `dev` in the format of
WinoGrande: a line for each question, with one model's answer or a column for each training size.

```
python score.py --preds_file predictions.lst
lm_eval --model hf --model_args pretrained=MODEL --tasks {manifest.name} --include_path harness
lm_eval --model hf --model_args pretrained=MODEL --tasks {layout.answers(manifest.name)} \\
    --include_path harness --apply_chat_template
inspect eval inspect/answers.py --model MODEL
```

The first task of lm-evaluation-harness compares likelihoods. The second one, and that of Inspect,
ask for the number of an option and read the first 1 or 2 of the answer; without one it is wrong.
All of them give the share of pairs with two right answers, too. `eval.yaml` asks the same on the
Hub, by Inspect's own scorers, which have no score of pairs.

The labels of `test` are secret."""


def canary_part(guid: str | None) -> list[str]:
    """Return the part of a card about the canary string; none for a release without one."""
    if guid is None:
        return []
    return [
        "## Canary\n",
        f"`{sentence(guid)}`\n\n"
        f"The string is in this file, in `{layout.CROISSANT}` and in the key–value metadata of "
        f"the Parquet files, and in no row; `{layout.MANIFEST}` has the GUID. A corpus for "
        "pretraining can leave out documents that have it. A model that can complete it has read "
        "one of these files, or a page that shows one; that a model cannot, shows nothing.",
    ]


def _verify(manifest: Manifest) -> str:
    lines = [
        "`sha256sum --check SHA256SUMS` compares every file with its hash.",
        "`manage.py verify` of WinoPlatform recomputes the verdicts, the agreement, the statistics "
        "and the sentences of this card from the archive alone, and names those that it cannot.",
    ]
    if manifest.commitments:
        lines.append(
            "`provenance/commitments.jsonl` has a salted hash for each blind question, "
            f"{number(manifest.commitments)} in all. They are committed, not checked: only the "
            "curators can open them."
        )
    drawn = [f"{draw.created_at}: `{draw.sha256}`" for draw in manifest.draws]
    sentence = "Hashes that were published when splits were drawn:"
    return bullets(lines) + (f"\n\n{sentence}\n\n{bullets(drawn)}" if drawn else "")
