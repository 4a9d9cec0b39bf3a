"""Queries for what models and people answer, for their results, and for comparisons."""

from evaluation.selectors.answers import (
    AnsweredItem,
    OptionScore,
    ScoredQuestions,
    answered_items,
    in_words,
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
from evaluation.selectors.difficulty import Difficulty, difficulty_of
from evaluation.selectors.fine_tunings import (
    Dynamics,
    GridCell,
    grid_cells,
    loaded_by,
    seconds_of,
    training_dynamics,
    why_to_stop,
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
from evaluation.selectors.questions import Subset, encodings_for, subsets_of, to_examine
from evaluation.selectors.timings import (
    Cost,
    TimedSystem,
    Timing,
    cost_of,
    seconds_per_question,
    timings_of,
)
from evaluation.selectors.training_items import (
    dev_items,
    drawn_items,
    labelled_split,
    n_learned,
    training_items,
)
from evaluation.selectors.visibility import (
    api_evaluations,
    evaluations_visible_to,
    fine_tunings_visible_to,
    grids_visible_to,
)
