"""Queries across tables: which questions are valid, in which snapshot, split and release."""

from corpora.selectors.labelled import Labelled, OfOneSet, Origin, labelled, labelled_of_release
from corpora.selectors.past import states_before
from corpora.selectors.published import (
    Released,
    as_item,
    group_of,
    released,
    released_rows,
)
from corpora.selectors.questions import (
    VALID,
    kept_ids,
    load_items,
    load_questions,
    origins,
    question_groups,
    snapshot_items,
    snapshot_questions,
    valid_questions,
)
from corpora.selectors.readiness import ExpectedPairs, expected_pairs
from corpora.selectors.releases import (
    newest_release,
    open_index,
    read_index,
    read_manifest,
    release_files,
    release_people,
    releases_visible_to,
    snapshot_people,
    training_file,
)
from corpora.selectors.splits import (
    answered_outside,
    draw_table_lines,
    owed,
    secret_sentences,
    secret_twins,
    showing_each_other,
    strata,
    twins_told_by,
)
from corpora.selectors.visibility import (
    OPEN_SPLITS,
    in_open_splits,
    in_public_sets,
    public_releases,
)
