"""What a release says of the votes behind it, and commits to for blind questions."""

import json
from typing import Any

import pytest

from collection.models import Campaign, Question
from corpora import services
from corpora.core.publish import canonical, commitment
from corpora.models import Release
from tests.factories import AssignmentFactory, CampaignFactory, TwinFactory, UserFactory
from tests.filtering.stages import carried, contents, rows
from tests.validation.deciding import give
from validation.models import Vote
from validation.services.review.exclusions import exclude


def release_of(campaign: Campaign, name: str = "one") -> Release:
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    return carried(services.build_release(snapshot=snapshot, name=name, by=None))


def validated(count: int, **shares: str) -> Campaign:
    campaign = CampaignFactory(**shares)
    for number in range(count):
        give(a_question(campaign, number), True, True, number % 3 != 0)
    Vote.objects.filter(option=2).update(local_option=1)
    return campaign


def a_question(campaign: Campaign, number: int) -> Question:
    sentences = [f"The cup {number} _ fell {end} so early." for end in ("down", "off")]
    twin = TwinFactory(campaign=campaign, seats=3, sentences=sentences)
    twin.assignment = AssignmentFactory(campaign=campaign, worker=twin.author, status="submitted")
    twin.save(update_fields=["assignment"])
    question: Question = twin.questions.get(number=1)
    twin.questions.get(number=2).seats.all().delete()
    return question


def manifest(release: Release) -> dict[str, Any]:
    return rows(contents(release)["manifest.json"].replace("\n", ""))[0]


def test_votes_of_train_are_told_under_pseudonyms_and_as_published() -> None:
    campaign = validated(6, dev_share="0", test_share="0")
    files = contents(release_of(campaign))
    votes = rows(files["provenance/votes.jsonl"])
    assert len(votes) == 18
    assert set(votes[0]) == {
        "qID", "validator", "people_origin", "option", "ambiguous", "local_option", "excluded",
        "additional", "guidelines", "pay", "seconds_local", "seconds",
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


def test_pseudonyms_are_fresh_in_each_release() -> None:
    campaign = validated(4, dev_share="0", test_share="0")
    one, two = (contents(release_of(campaign, name)) for name in ("one", "two"))
    told = [{vote["validator"] for vote in rows(f["provenance/votes.jsonl"])} for f in (one, two)]
    assert len(told[0]) == len(told[1]) == 12
    assert not told[0] & told[1]


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
