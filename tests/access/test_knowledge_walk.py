"""No address of knowledge tells people who are not curators what is said of held-back questions.

Every API address of knowledge, and every page of it, is asked with the ids and names of planted
rows, as a person who knows them would. Curators are asked too: there the planted texts are found.
"""

import uuid
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.test import Client

from corpora import services as corpora
from knowledge import services
from knowledge.core.formalisation import Formalisation, Thing
from knowledge.models import KnowledgeSet, Reason
from tests.access.routes import API, every_route
from tests.access.samples import PARAMETER
from tests.api.calls import client_of
from tests.blind import undone
from tests.factories import (
    KnowledgeEvaluationFactory,
    PanelFactory,
    PanelItemFactory,
    PanelSeatFactory,
    SweepFactory,
    UserFactory,
)
from tests.filtering.stages import carried, contents, frozen, rows, snapshot_of
from tests.knowledge.formalising import qualified
from tests.panels import toy
from workers.models import User

pytestmark = pytest.mark.usefixtures("noon")
OURS = (
    "knowledge", "formalis", "sentence", "enrolments", "reason", "sweeps", "human-seats",
    "human-evaluations/<id>/", "human-evaluations/<public_id>/answer",
    "human-evaluations/<public_id>/enrol",
)  # fmt: skip
PLANTED = {
    "formula": "planted_formula(x)",
    "name": "planted-name",
    "thing": "PlantedFirst",
    "scene": "planted_scene",
    "sentence": "planted sentence",
    "false version": "planted falsehood",
    "reason": "planted reason",
    "words": "planted words",
}


@pytest.fixture
def planted() -> tuple[KnowledgeSet, dict[str, list[str]]]:
    """A set over a release with a formalised test question, and what its addresses need."""
    release = corpora.build_release(snapshot=snapshot_of(frozen(pairs=20)), name="beds", by=None)
    carried(release)
    release.refresh_from_db()
    index = rows(contents(release)["index.jsonl"])
    blind = next(row for row in index if row["split"] == "test")
    of = services.create_knowledge_set(
        name="beds", release=release, by=None, formalisation_reward=2
    )
    formula = services.add_formula(
        knowledge_set=of, name=PLANTED["name"], text=PLANTED["formula"], by=None
    )
    made = services.formalise(
        knowledge_set=of,
        question=blind["qID"],
        formalisation=Formalisation(
            (Thing(PLANTED["thing"]), Thing("Second")),
            (PLANTED["thing"], "Second"),
            (PLANTED["thing"], "Second")[blind["answer"] - 1],
            "It",
            (f"{PLANTED['scene']}(Second)",),
            "planted_clause(It)",
        ),
        formulas=[formula],
        by=None,
    )
    services.prove(formalisation=made)
    # Of a question that everyone may know: without one there is nothing to release.
    shown = next(row for row in index if row["split"] != "test")
    known = services.formalise(
        knowledge_set=of,
        question=shown["qID"],
        formalisation=Formalisation(
            (Thing("First"), Thing("Second")),
            ("First", "Second"),
            ("First", "Second")[shown["answer"] - 1],
            "It",
            (),
            "shown_clause(It)",
        ),
        formulas=[],
        by=None,
    )
    pair = services.write_sentence(
        knowledge_set=of, formalisation=known, text="A shown sentence.", by=None
    )
    services.write_false_version(of=pair, kind="other", text="A shown falsehood.", by=None)
    services.put_words(
        knowledge_set=of, name="planted_clause", positive=f"{{x}} {PLANTED['words']}", negative="no"
    )
    true = services.write_sentence(
        knowledge_set=of, formalisation=made, formula=formula, text="A planted sentence.", by=None
    )
    services.write_false_version(of=true, kind="other", text="A planted falsehood.", by=None)
    Reason.objects.create(
        collection="why", question=0, number=0, text=PLANTED["reason"], source="human",
        n_accepted=5, n_votes=5,
    )  # fmt: skip
    sweep = SweepFactory(knowledge_set=of)
    published = carried(services.build_knowledge_release(knowledge_set=of, name="told", by=None))
    assert (published.status, published.n_pairs) == ("done", 1)
    tested = KnowledgeEvaluationFactory(knowledge_release=published)
    # No service asks about held-back questions: should one, others than its annotator see nothing.
    asked = PanelFactory(
        campaign=release.snapshot.campaign, reference_set=None, split="all", purpose="knowledge",
        title=of.name, mode="enrolments", needed=2, reward=1,
    )  # fmt: skip
    item = toy.statement("1", PLANTED["sentence"], is_true=True)
    row = PanelItemFactory(panel=asked, source_id=true.public_id, line=item.to_line())
    seat = PanelSeatFactory(item=row, worker=UserFactory())
    ids = [made.public_id, true.public_id, true.false_version.public_id, sweep.public_id]
    ids += [published.public_id, tested.public_id, asked.public_id, seat.public_id]
    return of, {
        "name": [of.name],
        "name of a release": [published.name],
        "name of a file": [*published.files.values_list("name", flat=True)],
        "id": [*map(str, ids), str(uuid.uuid4())],
        "public_id": [str(asked.public_id)],
        "seat_id": [str(seat.public_id)],
        "sentence": [str(id) for id in ids],
        "question": [blind["qID"]],
    }


def told(user: User | None, known: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield each address with what it answers to *user*."""
    browser = Client(raise_request_exception=False)
    if user is not None:
        browser.force_login(user)
    for route in every_route():
        is_ours = any(word in route.path for word in OURS)
        if not is_ours or route.path.startswith("admin/"):
            continue
        client = client_of(user) if route.path.startswith(API) else browser
        names = PARAMETER.findall(route.path)
        values = [_values(name, route.path, known) for name in names]
        for chosen in product(*values):
            left = iter(chosen)
            address = "/" + PARAMETER.sub(lambda _, left=left: next(left), route.path)
            for method in route.methods:
                with undone():
                    yield f"{method.upper()} {address}", _text(getattr(client, method)(address))


def _values(name: str, path: str, known: dict[str, list[str]]) -> list[str]:
    """Return the value of a parameter: files and releases have names of their own."""
    if name == "file_name" or path.endswith("/files/<name>"):
        return known["name of a file" if name.endswith("name") else "id"]
    if name == "name" and "knowledge-releases/" in path:
        return known["name of a release"]
    return known.get(name, [*known["id"], *known["name"]])


def _text(response: Any) -> str:
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return f"{response.status_code} {body.decode(errors='replace')}"


@pytest.mark.long
def test_nothing_planted_is_found_but_by_curators(
    planted: tuple[KnowledgeSet, dict[str, list[str]]],
) -> None:
    of, known = planted
    for user in (None, UserFactory(), qualified(of)):
        answers = list(told(user, known))
        assert len(answers) > 60
        assert [what for what, text in answers if text.startswith("5")] == []
        found = {
            (name, what)
            for what, text in answers
            for name, secret in PLANTED.items()
            if secret in text.replace(f"“{secret}”", "")
        }
        assert found == set()
    everything = "\n".join(text for _, text in told(UserFactory(curator=True), known))
    assert {name for name, secret in PLANTED.items() if secret not in everything} == set()
