"""A release of the 20 formalised questions of WSC273: another prover checks every script."""

import json
from typing import Any

import pytest

from corpora import services as corpora
from corpora.core.items import Item
from knowledge import proving, services
from knowledge.models import KnowledgeSet
from knowledge.prover.process import Prover
from tests.data_dir import needs_data
from tests.knowledge.annotating import FALSE, TRUE
from tests.knowledge.cvc5_check import answer_of
from tests.knowledge.releasing import files, lines, released
from tests.knowledge.wsc_formal import formalised
from tests.knowledge.wsc_formal import lines as rows_of

pytestmark = [pytest.mark.long, needs_data]


def item_of(row: dict[str, Any]) -> Item:
    sentence, pronoun = row["sentence"], row["pronoun"]
    start = sentence.rindex(f" {pronoun} ") + 1
    return Item(
        id=f"wsc-{row['wsc273']:03d}",
        group=f"schema-{row['wsc273'] // 2:03d}",
        sentence=sentence,
        options=tuple(row["mentions"]),
        answer=row["answer"],
        form="pronoun",
        span=(start, start + len(pronoun)),
    )


def formal_set(rows: list[dict[str, Any]]) -> KnowledgeSet:
    """A set over the questions, with a pair for each of them."""
    items = [item_of(row) for row in rows]
    questions = corpora.import_reference_set(
        name="wsc", format="items", splits={"test": [item.to_line() for item in items]}, by=None
    )
    of = services.create_knowledge_set(name="wsc", reference_set=questions, by=None)
    known: dict[str, Any] = {}
    for row, item in zip(rows, items, strict=True):
        for name, text in row["knowledge"].items():
            if text not in known:
                known[text] = services.add_formula(
                    knowledge_set=of, name=f"{item.id}-{name}".replace("_", "-"), text=text, by=None
                )
        formulas = [known[text] for text in row["knowledge"].values()]
        made = services.formalise(
            knowledge_set=of, question=item.id, formalisation=formalised(row), formulas=formulas,
            by=None,
        )  # fmt: skip
        true = services.write_sentence(
            knowledge_set=of, formalisation=made, text=TRUE % row["wsc273"], by=None
        )
        services.write_false_version(of=true, kind="other", text=FALSE % row["wsc273"], by=None)
    return of


def test_cvc5_agrees_on_every_exported_script(
    prover: Prover, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proving, "shared", lambda: prover)
    found = files(released(formal_set(rows_of("questions.jsonl"))))
    claims = lines(found["proofs.jsonl"])
    wrong = [one["claim"] for one in claims if answer_of(one["script"]) != one["expected"]]
    assert (len(claims), wrong) == (184, [])
    proofs = json.loads(found["statistics.json"])["proofs"]
    assert proofs == {
        "formalisations": 20, "verified": 19, "undecided": 0, "by_explains": 10, "by_follows": 6,
        "by_excludes": 4,
    }  # fmt: skip
