"""Queries for what models and people answer, for their results, and for comparisons."""

from evaluation.selectors.answers import (
    AnsweredItem,
    Chosen,
    Scored,
    answered_items,
    scored_items,
)
from evaluation.selectors.beside_people import BesidePeople, beside_people
from evaluation.selectors.comparisons import (
    Comparable,
    Compared,
    System,
    as_comparable,
    comparable,
    compared,
    evaluations_of,
    find_comparable,
)
from evaluation.selectors.fine_tunings import (
    Dynamics,
    GridCell,
    grid_cells,
    loaded_by,
    seconds_of,
    training_dynamics,
    why_to_stop,
)
from evaluation.selectors.human import (
    Answered,
    NothingLeft,
    Progress,
    Voter,
    held_seat,
    human_answers,
    offered_to,
    progress_of,
    scores_by_domain,
    scores_of,
    voters_of,
    votes_of,
    why_nothing_left,
    with_counts,
)
from evaluation.selectors.knowledge import (
    StatementSet,
    knowledge_data_sha256,
    learned_from,
    recorded_answers,
    recorded_margins,
    statements_of,
    statements_visible_to,
)
from evaluation.selectors.knowledge_tables import (
    knowledge_tables,
    reason_table,
    table_document,
)
from evaluation.selectors.leaderboards import (
    Ranked,
    Remaining,
    blind_items,
    blind_shape,
    noise_of,
    ranked,
    remaining,
    training_sizes,
)
from evaluation.selectors.questions import encodings_for, to_examine
from evaluation.selectors.subsets import Subset, in_words, subsets_of
from evaluation.selectors.timings import TimedSystem, Timing, timings_of
from evaluation.selectors.training_items import (
    dev_items,
    drawn_items,
    labelled_split,
    n_learned,
    training_items,
)
from evaluation.selectors.training_times import Cost, cost_of, seconds_per_question
from evaluation.selectors.visibility import (
    evaluations_visible_to,
    fine_tunings_visible_to,
    grids_visible_to,
)
from evaluation.selectors.voters import voters_people
