"""People's fresh votes on suspected keys: who is asked what, and what follows from the votes."""

from typing import Any

import pytest

from corpora import services as corpora
from corpora.models import ReferenceSet, Release
from corpora.selectors import labelled, notices_of, read_index, read_manifest
from evaluation.core.key_votes import Act, Decision
from evaluation.models import KeyAudit, KeyPanel
from evaluation.selectors.comparisons import as_comparable, comparable
from evaluation.selectors.key_panels import asked_keys
from evaluation.selectors.versions import both_versions, later_versions
from evaluation.services.key_panels import plan_key_panel, start_key_panel
from evaluation.services.key_revisions import (
    revise_questions,
    revise_reference_set,
    tell_correction,
)
from panels.services import change_panel_status
from tests.corpora.sets import imported
from tests.corpora.test_release_provenance import validated
from tests.evaluation.bundles import verified
from tests.evaluation.done import evaluated
from tests.evaluation.key_panels import against, answered_panel, audit_of, first_group
from tests.factories import CampaignFactory
from tests.filtering.stages import carried
from tests.refusals import refused
from validation.models import Case, VerdictEvent
from workers.models import User


def release_of(campaign: Any, name: str, **fields: Any) -> Release:
    snapshot = carried(corpora.take_snapshot(campaign=campaign, by=None))
    made: Release = carried(
        corpora.build_release(snapshot=snapshot, name=name, by=None, **fields)
    )
    return made


@pytest.fixture
def tiny() -> ReferenceSet:
    return imported("tiny")
