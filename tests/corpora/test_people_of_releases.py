"""Who worked on a release stands in each file of it, and simulated people make a demonstration."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from collection.models import Campaign
from collection.services import answer_background, publish_guideline, set_background
from corpora import services
from corpora.core.bundle import codec
from corpora.core.bundle.manifest import Manifest
from corpora.models import ReferenceSet, Release
from corpora.selectors import release_people
from tests.corpora.sets import imported
from tests.factories import (
    CampaignFactory,
    ConsentFactory,
    ParticipantFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.filtering.stages import carried, contents, rows
from validation.models import Seat
from winoplatform import clock
from workers.models import User

FILES = ("README.md", "CITATION.cff", "manifest.json", "croissant.json")
PROVENANCE = ("provenance/questions.jsonl", "provenance/votes.jsonl")


def person(origin: str = "", platform: str = "") -> User:
    user: User = UserFactory(origin=origin, platform=platform)
    return user


def worked(campaign: Campaign, author: User | None, *voters: User) -> None:
    """A valid twin with its votes."""
    twin = TwinFactory(campaign=campaign, author=author, published=author is None, seats=3)
    for question in twin.questions.all():
        VerdictFactory(question=question)
    for number, voter in enumerate(voters, 1):
        seat = Seat.objects.get(question=twin.questions.get(number=1), number=number)
        VoteFactory(seat=seat, question=seat.question, worker=voter)
        now = clock.now()
        seat.worker, seat.claimed_at, seat.answered_at, seat.leased_until = voter, now, now, now
        seat.save()
    Seat.objects.filter(twin=twin, answered_at=None).delete()


def released(campaign: Campaign, name: str = "one", **asked: Any) -> Release:
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    release: Release = carried(
        services.build_release(snapshot=snapshot, name=name, by=None, **asked)
    )
    release.refresh_from_db()
    return release


def campaign_of(*people: tuple[User | None, ...], **fields: Any) -> Campaign:
    campaign = CampaignFactory(dev_share="0", test_share="0", **fields)
    for author, *voters in people:
        worked(campaign, author, *voters)  # type: ignore[arg-type]
    return campaign


@pytest.mark.long
def test_every_file_of_simulated_people_says_so() -> None:
    simulated = [person("simulated") for _ in range(4)]
    release = released(campaign_of(simulated), is_public=True, title="Kitchen schemas")
    files = contents(release)
    assert release.title == "Kitchen schemas (demonstration)"
    assert all("simulated" in files[name] for name in (*FILES, *PROVENANCE))
    assert all("demonstration" in files[name] for name in FILES)
    for name in PROVENANCE:
        assert {row["people_origin"] for row in rows(files[name])} == {"simulated"}
    front = yaml.safe_load(files["README.md"].split("---\n")[1])
    assert front["annotations_creators"] == front["language_creators"] == ["machine-generated"]
    assert json.loads(files["manifest.json"])["people"] == release.people


@pytest.mark.long
@pytest.mark.parametrize(
    ("author", "voter", "origins", "annotations", "language"),
    [
        (("invited",), ("crowd", "Prolific"), ["invited", "crowd"], ["crowdsourced", "other"],
         ["other"]),
        (None, ("invited",), ["invited", "imported"], ["found", "other"], ["found"]),
        (("simulated",), ("invited",), ["simulated", "invited"], ["machine-generated", "other"],
         ["machine-generated"]),
        (("",), ("",), ["not_stated"], None, None),
    ],
)  # fmt: skip
def test_the_card_says_who_wrote_and_who_validated(
    author: tuple[str, ...] | None,
    voter: tuple[str, ...],
    origins: list[str],
    annotations: list[str] | None,
    language: list[str] | None,
) -> None:
    wrote = None if author is None else person(*author)
    release = released(campaign_of((wrote, *(person(*voter) for _ in range(3)))))
    files = contents(release)
    front = yaml.safe_load(files["README.md"].split("---\n")[1])
    assert json.loads(files["manifest.json"])["people"]["origins"] == origins
    assert front.get("annotations_creators") == (annotations and sorted(annotations, key=_ORDER))
    assert front.get("language_creators") == language
    assert ("Prolific" in files["README.md"]) == ("Prolific" in voter)
    assert ("(demonstration)" in release.title) == ("simulated" in origins)


_ORDER: Callable[[str], int] = ["machine-generated", "other", "crowdsourced", "found"].index


@pytest.mark.long
def test_a_release_says_who_worked_on_its_own_questions_alone() -> None:
    campaign = campaign_of((person("invited"),))
    TwinFactory(campaign=campaign, author=person("simulated"))
    assert release_people(released(campaign)).origins == ("invited",)


@pytest.mark.long
def test_what_the_campaign_states_is_said_of_accounts_that_do_not_tell() -> None:
    stated = {"people_origin": "crowd", "people_platform": "Toloka"}
    release = released(campaign_of((person(), person(), ParticipantFactory().worker), **stated))
    people = release_people(release)
    assert (people.origins, people.platforms) == (("crowd",), ("Toloka",))


@pytest.mark.long
def test_no_second_no_renamed_and_no_mixed_release_loses_the_word() -> None:
    campaign = campaign_of((person("simulated"), person("invited")), (person("invited"),))
    for name, title in (("a", ""), ("b", "A real data set"), ("c", "No (demonstration) at all")):
        release = released(campaign, name, title=title, is_public=True)
        card = contents(release)["README.md"]
        assert release.title.endswith("(demonstration)")
        assert f"# {release.title.replace('(', '(')}" in card


def test_a_manifest_of_simulated_people_needs_the_word() -> None:
    release = released(campaign_of((person("simulated"),)))
    text = contents(release)["manifest.json"]
    assert codec.from_json(Manifest, text).title.endswith("(demonstration)")
    with pytest.raises(ValueError, match="title must end with"):
        codec.from_json(Manifest, text.replace(" (demonstration)", ""))


def test_a_preview_says_who_worked_on_what_it_would_have() -> None:
    campaign = campaign_of((person("simulated"), person("crowd", "Prolific")))
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    preview = carried(services.preview_release(snapshot=snapshot, by=None))
    preview.refresh_from_db()
    assert preview.facts["people"]["origins"] == ["simulated", "crowd"]


STATED = {
    "contact": "data@example.org",
    "population": "Students",
    "consent": "A form *before* work",
    "ethics_review": "Board 2026-17",
    "funding": "Grant 12",
}


@pytest.mark.long
def test_what_is_stated_stands_in_the_card_and_the_rest_is_not_stated() -> None:
    settings = {name: words for name, words in STATED.items() if name != "contact"}
    campaign = campaign_of((person("invited"),), **settings)
    publish_guideline(campaign=campaign, text="Write.", contact=STATED["contact"])
    card, empty = (
        contents(released(campaign, name, **asked))["README.md"]
        for name, asked in (("a", {}), ("b", dict.fromkeys(STATED, "")))
    )
    for said in ("Contact: data", "Consent: A form \\*before", "Funding: Grant 12", "Students"):
        assert said in card
        assert said not in empty
    for name in ("Contact", "Consent", "Ethics review", "Funding", "Social impact"):
        assert f"{name}: not stated." in empty


@pytest.mark.long
def test_a_release_counts_what_people_told_and_says_it_in_groups() -> None:
    campaign = campaign_of((person("invited"),))
    publish_guideline(campaign=campaign, text="Write.")
    [question] = set_background(campaign=campaign, codes=["age"])
    for number in range(11):
        worker = ConsentFactory(guideline=campaign.guideline).worker
        told = {str(question.public_id): [1 if number < 8 else 2]}
        answer_background(worker=worker, campaign=campaign, answers=told)
    files = contents(released(campaign, "a"))
    [counts] = json.loads(files["manifest.json"])["background"]
    assert (counts["people"], counts["lines"], counts["rest"]) == (11, {"18 to 24": 5}, 6)
    said = "How old are you? 18 to 24: 5; other or no answer: 6 (11 people; rounded down"
    assert said in files["README.md"]
    assert "25 to 34" not in files["README.md"] + files["manifest.json"]


def reimported(name: str = "elsewhere", **asked: Any) -> ReferenceSet:
    """The texts of a twin of simulated people, as somebody's data set."""
    twin = TwinFactory(author=person("simulated"))
    line = {"option1": twin.option1, "option2": twin.option2}
    lines = [
        json.dumps(line | {"qID": f"x-{n}", "sentence": question.sentence, "answer": str(n)})
        for n, question in enumerate(twin.questions.all(), 1)
    ]
    return imported(name, splits={"test": lines}, **asked)


def test_texts_of_simulated_people_stay_so_in_a_reference_set() -> None:
    found = reimported(title="Our benchmark")
    assert (found.people_origin, found.title) == ("simulated", "Our benchmark (demonstration)")
    assert (imported("tiny").people_origin, imported("other").title) == ("imported", "other")
