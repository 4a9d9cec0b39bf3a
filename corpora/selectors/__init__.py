"""Queries across tables: which questions are valid, in which snapshot, split and release."""

from corpora.selectors.agreement import full_agreement
from corpora.selectors.browsing import (
    Rows,
    labelled_splits,
    lines_in,
    lines_of,
    rows_from,
    wanted_rows,
)
from corpora.selectors.files import text_of
from corpora.selectors.labelled import Labelled, OfOneSet, Origin, labelled, labelled_of_release
from corpora.selectors.questions import (
    VALID,
    kept_ids,
    load_items,
    load_questions,
    origins,
    question_groups,
    snapshot_items,
    snapshot_questions,
    states_before,
    valid_questions,
)
from corpora.selectors.releases import (
    OPEN_SPLITS,
    Released,
    as_item,
    count_erased,
    ended_publication,
    group_of,
    in_open_splits,
    in_public_sets,
    metadata_for,
    newest_release,
    notices_of,
    open_index,
    open_proposals,
    read_index,
    read_manifest,
    release_files,
    release_people,
    release_proposed,
    released,
    released_rows,
    releases_before,
    snapshot_people,
    training_file,
)
from corpora.selectors.splits import (
    ExpectedPairs,
    answered_outside,
    deal_balance,
    draw_table_lines,
    expected_pairs,
    secret_sentences,
    secret_twins,
    showing_each_other,
    strata,
    twins_told_by,
)
