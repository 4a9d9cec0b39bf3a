"""People's fresh votes on suspected keys: who is asked what, and what follows from the votes."""

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import pytest

from corpora import services as corpora
from corpora.models import ReferenceSet, Release
from corpora.selectors import labelled, notices_of, read_index, read_manifest
from evaluation.core.key_votes import Act, Decision
from evaluation.models import KeyAudit, KeyPanel
from evaluation.selectors.key_panels import asked_keys
from evaluation.selectors.versions import both_versions
from evaluation.services.key_panels import plan_key_panel, start_key_panel
from evaluation.services.key_revisions import (
    revise_questions,
    revise_reference_set,
    tell_correction,
)
from panels.models import PanelSeat
from panels.services import change_panel_status
from tests.corpora.sets import imported
from tests.corpora.test_release_provenance import validated
from tests.evaluation.bundles import store_bundle, wrong
from tests.evaluation.done import evaluated
from tests.evaluation.key_panels import (
    against,
    answered_panel,
    audit_of,
    audited_set,
    first_group,
)
from tests.factories import CampaignFactory
from tests.filtering.stages import carried
from tests.refusals import refused
from validation.models import Case, VerdictEvent, Vote
from workers.models import User


def release_of(campaign: Any, name: str, **fields: Any) -> Release:
    snapshot = carried(corpora.take_snapshot(campaign=campaign, by=None))
    made: Release = carried(corpora.build_release(snapshot=snapshot, name=name, by=None, **fields))
    return made


@pytest.fixture
def tiny() -> ReferenceSet:
    return imported("tiny")


# -- what is asked ---------------------------------------------------------------------------------
def test_suspects_are_asked_among_groups_drawn_at_random(tiny: ReferenceSet) -> None:
    audit = audit_of({"a-1"}, reference_set=tiny)
    plan = plan_key_panel(audit=audit, campaign=CampaignFactory(), by=None)
    assert (plan.n_suspects, plan.n_fillers, plan.n_items, plan.n_votes) == (1, 1, 4, 20)
    assert plan.share_of_fillers == 0.5
    assert plan.cost == 20 * plan.panel.reward
    assert plan.forecast.n_found == pytest.approx(0.9 * 0.883, abs=0.001)
    assert float(plan.cost_per_found or 0) == pytest.approx(
        float(plan.cost) / plan.forecast.n_found
    )
    drawn = {
        plan_key_panel(audit=audit, campaign=plan.panel.campaign, seed=seed, by=None).groups
        for seed in range(20)
    }
    assert len(drawn) == 2  # either of the other two groups


def test_an_audit_without_a_suspect_or_an_end_asks_nobody(tiny: ReferenceSet) -> None:
    with refused("no_suspects"):
        plan_key_panel(audit=audit_of((), reference_set=tiny), by=None)
    audit = audit_of({"a-1"}, reference_set=tiny)
    with refused("fillers_out_of_range"):
        plan_key_panel(audit=audit, fillers=0.95, by=None)
    audit.status = "running"
    with refused("not_done"):
        plan_key_panel(audit=audit, by=None)


@pytest.mark.long
def test_figures_about_chosen_questions_are_of_no_set(tiny: ReferenceSet) -> None:
    row = panel_of(tiny, {"a-1"})
    assert row.panel.is_chosen
    assert row.panel not in type(row.panel).objects.of_whole_sets()


def undecided(ids: Collection[str] = ("a-1", "a-2")) -> Callable[[PanelSeat], int]:
    """Choose both options of some items in turn, and the key of the rest."""
    given: Counter[str] = Counter()

    def choose(seat: PanelSeat) -> int:
        if seat.item.source_id not in ids:
            return seat.item.item.answer or 1
        given[seat.item.source_id] += 1
        return 1 + given[seat.item.source_id] % 2

    return choose


# -- what the votes say ----------------------------------------------------------------------------
def panel_of(data: ReferenceSet, suspected: set[str], **asked: Any) -> KeyPanel:
    audit = audit_of(suspected, reference_set=data)
    return answered_panel(
        audit, asked.pop("choose", against({"a-1"})), campaign=CampaignFactory(), **asked
    )


@pytest.mark.long
def test_each_suspect_has_a_posterior_and_a_decision(tiny: ReferenceSet) -> None:
    split, others = undecided({"b-1"}), against({"a-1"})

    def choose(seat: Any) -> int:
        return split(seat) if seat.item.source_id == "b-1" else others(seat)

    row = panel_of(tiny, {"a-1", "b-1", "c-1"}, choose=choose)
    found = {one.key.source_id: one for one in asked_keys(row)}
    assert list(found) == ["a-1", "a-2", "b-1", "b-2", "c-1", "c-2"]
    assert {id: one.decision for id, one in found.items()} == {
        "a-1": Decision.WRONG, "a-2": Decision.RIGHT, "b-1": Decision.SPLIT,
        "b-2": Decision.RIGHT, "c-1": Decision.RIGHT, "c-2": Decision.RIGHT,
    }  # fmt: skip
    assert (found["a-1"].chance_wrong or 0) > 0.95
    assert (found["c-1"].chance_wrong or 1) < 0.05


@pytest.mark.long
def test_nothing_is_revised_before_all_votes_or_twice(tiny: ReferenceSet, dana: User) -> None:
    audit = audit_of({"a-1"}, reference_set=tiny)
    row = start_key_panel(audit=audit, by=None, campaign=CampaignFactory())
    assert all(one.decision is None for one in asked_keys(row))
    with refused("votes_missing"):
        revise_reference_set(row=row, name="tiny-2", by=dana)
    change_panel_status(panel=row.panel, status="closed")
    with refused("nothing_corrected"):
        revise_reference_set(row=row, name="tiny-2", by=dana)
    other = panel_of(tiny, {"a-1"})
    revise_reference_set(row=other, name="tiny-2", by=dana)
    with refused("revised_already"):
        revise_reference_set(row=other, name="tiny-3", by=dana)


# -- the next version ------------------------------------------------------------------------------
@pytest.mark.long
def test_a_reference_set_gets_a_version_with_the_keys_and_their_evidence(
    tiny: ReferenceSet, dana: User
) -> None:
    evaluated(tiny, "majority")
    row = panel_of(tiny, {"a-1"})
    with refused("not_agreed"):
        revise_reference_set(row=row, name="tiny-2", by=dana, credit="Ada")
    made = revise_reference_set(row=row, name="tiny-2", by=dana, credit="Ada", agreed=True)
    assert made.revises == tiny
    assert made.erratum == (
        "Keys of test corrected: 1; questions left out since people split: 0; fresh votes on each: "
        "5. Found by Ada."
    )
    items = {item.id: item for item in labelled(KeyAudit(reference_set=made, split="test")).items}
    assert [item.answer for item in items.values()] == [2, 2, 1, 2, 1, 2]
    evidence = items["a-1"].metadata["key_votes"]
    assert (evidence["former_answer"], evidence["votes"]) == (1, [0, 5])
    assert evidence["decision"] == "wrong"
    assert evidence["probability"] == 0.9
    assert "key_votes" not in items["b-1"].metadata
    before = labelled(KeyAudit(reference_set=tiny, split="test")).items
    assert [item.answer for item in before] == [1, 2] * 3

    both = both_versions(dana, "reference-set", "tiny", "test")
    assert both.later == (made,)
    assert (both.n, both.n_changed, both.n_missing) == (6, 1, 0)
    (scored,) = both.rows
    assert scored.before.value == scored.system.figures.accuracy.value == 0.5
    assert scored.after.value in (pytest.approx(2 / 6), pytest.approx(4 / 6))


@pytest.mark.long
def test_a_split_question_is_left_out_only_if_asked_for(tiny: ReferenceSet, dana: User) -> None:
    row = panel_of(tiny, {"a-1"}, choose=undecided())
    with refused("nothing_corrected"):
        revise_reference_set(row=row, name="tiny-2", leave_out=False, by=dana)
    made = revise_reference_set(row=row, name="tiny-2", by=dana)
    assert made.splits.get().n_items < 6
    assert (row.outcome or [])[0]["act"] == Act.LEFT_OUT


@pytest.fixture
def campaign_release(db: None) -> Release:
    campaign = validated(8, dev_share="0.5", test_share="0.25")
    Vote.objects.update(local_option=None)  # `validated` changes it after the verdicts
    return release_of(campaign, "one", is_public=True)


def revised(release: Release, split: str, by: User) -> tuple[KeyPanel, set[str]]:
    """A release of which the votes found the keys of one group wrong."""
    ids = {item.id for item in first_group(release, split)}
    audit = audit_of(ids, release=release, split=split)
    row = answered_panel(audit, against(ids))
    return revise_questions(row=row, by=by), ids


@pytest.mark.long
@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_next_release_has_the_keys_and_the_old_one_an_erratum(
    campaign_release: Release, dana: User, split: str
) -> None:
    evaluated(None, "majority", reference_set=None, release=campaign_release, split=split)
    row, ids = revised(campaign_release, split, dana)
    assert {one["act"] for one in row.outcome or [] if one["id"] in ids} == {Act.CORRECTED}
    with refused("not_published"):
        tell_correction(row=row, by=dana)
    hidden = release_of(campaign_release.campaign, "two")
    assert hidden.version == "2.0.0"
    assert read_manifest(hidden)["changes"]["splits"][split]["changed"] == len(ids)
    with refused("not_published"):
        tell_correction(row=row, by=dana)
    Release.objects.filter(pk=hidden.pk).update(is_public=True)
    hidden.refresh_from_db()
    told = tell_correction(row=row, by=dana, credit="Ada", agreed=True)
    assert tell_correction(row=row, by=dana, credit="Ada", agreed=True) == told
    (notice,) = notices_of(campaign_release)
    assert f"has other keys for {len(ids)} of {split}" in notice.text
    assert notice.text.endswith("Found by Ada.")
    assert all((id in notice.text) == (split == "dev") for id in ids)

    both = both_versions(dana, "release", "one", split)
    assert both.later == (hidden,)
    assert (both.n_changed, both.n_missing) == (len(ids), 0)


@pytest.mark.long
def test_the_audit_log_has_the_correction(campaign_release: Release, dana: User) -> None:
    _row, ids = revised(campaign_release, "dev", dana)
    lines = {line["qID"]: line["question"] for line in read_index(campaign_release)}
    for id in ids:
        events = VerdictEvent.objects.filter(question__public_id=lines[id], by=dana)
        actions = list(events.order_by("pk").values_list("action", flat=True))
        assert actions == ["swapped", "curator"]
        assert "Fresh votes: 0 of 5 for the key" in events.latest("pk").reason


@pytest.mark.long
def test_questions_on_which_people_split_wait_for_a_curator(
    campaign_release: Release, dana: User
) -> None:
    ids = {item.id for item in first_group(campaign_release, "dev")}
    row = answered_panel(audit_of(ids, release=campaign_release, split="dev"), undecided(ids))
    revise_questions(row=row, by=dana)
    assert {one["act"] for one in row.outcome or []} == {Act.QUEUED}
    assert Case.objects.filter(suspected=True).count() == len(ids)
    with refused("no_reference_set"):
        revise_reference_set(row=row, name="none", by=dana)


@pytest.mark.long
def test_both_releases_verify(campaign_release: Release, dana: User, tmp_path: Any) -> None:
    revised(campaign_release, "dev", dana)
    for release in (campaign_release, release_of(campaign_release.campaign, "two")):
        folder = tmp_path / release.name
        folder.mkdir()
        store_bundle(release, folder)
        assert wrong(folder / f"{release.name}.zip", folder / "opened") == []


def test_the_whole_way_from_systems_answers_to_scores_on_both_versions(dana: User) -> None:
    audit, planted = audited_set(dana)
    row = answered_panel(audit, against(planted), campaign=CampaignFactory())
    assert {one.key.source_id for one in asked_keys(row) if one.key.is_suspected} == planted
    made = revise_reference_set(row=row, name="small-2", by=dana)
    items = labelled(KeyAudit(reference_set=made, split="test")).items
    assert {item.id for item in items if item.answer == 2} == planted
    both = both_versions(dana, "reference-set", "small", "test", after="small-2")
    assert (len(both.rows), both.n_changed) == (12, 3)
    # Able systems know better than the wrong keys, and weak ones do not.
    changes = [one.change or 0 for one in both.rows]
    assert changes[0] > 0
