"""What a release says of the votes behind it, and commits to for blind questions."""

import json
from typing import Any

import pytest

from collection.models import Campaign, Question
from corpora import services
from corpora.core.bundle import layout
from corpora.core.publish import canonical, commitment
from corpora.models import Release
from tests.factories import AssignmentFactory, CampaignFactory, TwinFactory, UserFactory
from tests.filtering.stages import carried, contents, rows
from tests.validation.deciding import give
from validation.models import Seat, Vote
from validation.services.review.exclusions import exclude
from workers.models import User


def release_of(campaign: Campaign, name: str = "one") -> Release:
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    return carried(services.build_release(snapshot=snapshot, name=name, by=None))


def validated(count: int, **shares: str) -> Campaign:
    campaign = CampaignFactory(**shares)
    for number in range(count):
        give(a_question(campaign, number), True, True, number % 3 != 0)
    Vote.objects.filter(option=2).update(local_option=1)
    return campaign


def a_question(campaign: Campaign, number: int, **fields: User) -> Question:
    sentences = [f"The cup {number} _ fell {end} so early." for end in ("down", "off")]
    twin = TwinFactory(campaign=campaign, seats=3, sentences=sentences, **fields)
    twin.assignment = AssignmentFactory(campaign=campaign, worker=twin.author, status="submitted")
    twin.save(update_fields=["assignment"])
    question: Question = twin.questions.get(number=1)
    twin.questions.get(number=2).seats.all().delete()
    return question


def manifest(release: Release) -> dict[str, Any]:
    return rows(contents(release)["manifest.json"].replace("\n", ""))[0]


@pytest.mark.long
def test_votes_of_train_are_told_under_pseudonyms_and_as_published() -> None:
    campaign = validated(6, dev_share="0", test_share="0")
    files = contents(release_of(campaign))
    votes = rows(files["provenance/votes.jsonl"])
    assert len(votes) == 18
    assert set(votes[0]) == {
        "qID", "validator", "people_origin", "option", "ambiguous", "local_option", "excluded",
        "additional", "guidelines", "pay",
    }  # fmt: skip
    answers = {row["qID"]: int(row["answer"]) for row in rows(files["train_xl.jsonl"])}
    right = sum(vote["option"] == answers[vote["qID"]] for vote in votes)
    assert right == Vote.objects.filter(option=1).count() == 16
    local = sum(vote["local_option"] == answers[vote["qID"]] for vote in votes)
    assert local == Vote.objects.filter(local_option=1).count()
    people = {str(vote.worker.public_id) for vote in Vote.objects.select_related("worker")}
    names = {vote.worker.username for vote in Vote.objects.select_related("worker")}
    public = "".join(files.values())
    assert not any(secret in public for secret in people | names)
    lines = rows(files["provenance/questions.jsonl"])
    assert {line["verdict"]["counts"]["votes"] for line in lines} == {3}
    assert {line["verdict"]["policy"] for line in lines} == {"majority"}


def named(files: dict[str, str]) -> dict[str, set[str]]:
    """The names of each sentence's writer and validators."""
    shown = {row["qID"]: row["sentence"] for row in rows(files["train_xl.jsonl"])}
    names = {shown[one["qID"]]: {one["writer"]} for one in rows(files[layout.QUESTIONS])}
    for vote in rows(files[layout.VOTES]):
        names[shown[vote["qID"]]].add(vote["validator"])
    return names


@pytest.mark.long
def test_a_question_keeps_its_names_and_new_ones_have_fresh_names() -> None:
    """The same people work on all questions."""
    campaign = CampaignFactory(dev_share="0", test_share="0")
    writer, validators = UserFactory(), UserFactory.create_batch(3)

    def work(number: int) -> None:
        question = a_question(campaign, number, author=writer)
        for vote, validator in zip(give(question, True, True, True), validators, strict=True):
            Seat.objects.filter(pk=vote.seat_id).update(worker=validator)
            Vote.objects.filter(pk=vote.pk).update(worker=validator)

    told = []
    for number in range(3):
        work(number)
        told.append(named(contents(release_of(campaign, f"release-{number}"))))
    first, second, third = told
    (old,) = first
    assert first[old] == second[old] == third[old]
    (new,) = second.keys() - first.keys()
    assert second[new] == third[new]
    fresh = [first[old], second[new], *(third[one] for one in third.keys() - second.keys())]
    assert len(set.union(*fresh)) == 3 * 4


def test_an_excluded_vote_is_told_as_excluded() -> None:
    campaign = validated(3, dev_share="0", test_share="0")
    vote = Vote.objects.filter(option=1).order_by("-pk").first()
    assert vote is not None
    exclude(vote_id=vote.public_id, reason="Hasty.", by=UserFactory(curator=True))
    give(vote.question, True)
    release = release_of(campaign)
    votes = rows(contents(release)["provenance/votes.jsonl"])
    assert sum(told["excluded"] for told in votes) == 1
    told = manifest(release)["collection"]
    assert (told["votes"], told["votes_excluded"], told["votes_additional"]) == (9, 1, 0)
    assert [(one["votes"], one["questions"]) for one in told["decided"]] == [(3, 3)]


@pytest.mark.long
def test_of_blind_questions_there_are_commitments_that_only_the_openings_open() -> None:
    campaign = validated(8, dev_share="0.25", test_share="0.5")
    release = release_of(campaign)
    files = contents(release)
    test = [row["qID"] for row in rows(files["test.jsonl"])]
    assert len(test) == 4
    told = {row["qID"]: row["sha256"] for row in rows(files["provenance/commitments.jsonl"])}
    assert [*told] == test
    for line in files["opening.jsonl"].splitlines():
        opened = json.loads(line)
        assert commitment(line.encode()) == told[opened["qID"]]
        assert len(opened["votes"]) == 3
        other = opened | {"answer": str(3 - int(opened["answer"]))}
        assert commitment(canonical(other)) != told[opened["qID"]]
    for name in ("provenance/votes.jsonl", "provenance/questions.jsonl"):
        assert not {row["qID"] for row in rows(files[name])} & set(test)
    salts = {json.loads(line)["salt"] for line in files["opening.jsonl"].splitlines()}
    public = release.files.filter(restricted=False).values_list("name", flat=True)
    assert not any(salt in files[name] for salt in salts for name in public)


def test_the_manifest_tells_who_wrote_and_validated_and_how_they_agreed() -> None:
    campaign = validated(6, dev_share="0", test_share="0")
    about = manifest(release_of(campaign))
    told = about["collection"]
    assert (told["writers"], told["written"], told["votes"]) == (6, 6, 18)
    assert (told["validators"], told["questions"]) == (18, 6)
    assert told["pay"] == {"writing": {"": 6}, "validating": {"": 18}}  # no seat was claimed
    assert [one["policy"] for one in told["decided"]] == ["majority"]
    # Four questions of three agreeing votes, two of two and one: a third of their pairs agree.
    assert about["agreement"]["answer_raw"]["value"] == pytest.approx((4 + 2 / 3) / 6, abs=1e-4)
    assert about["human"] == []
    assert about["draws"][0]["twins"] == 6
