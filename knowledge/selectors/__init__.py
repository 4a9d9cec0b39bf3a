"""Queries across tables: a set's questions, its validation and its releases."""

from knowledge.selectors.annotation import (
    Progress,
    SetFigures,
    held_sentence,
    progress,
    set_figures,
)
from knowledge.selectors.lexicon import lexicon_of
from knowledge.selectors.people import knowledge_people, knowledge_release_people
from knowledge.selectors.question_states import (
    QuestionState,
    proof_results,
    question_states,
    with_proof,
)
from knowledge.selectors.questions import (
    Listed,
    QuestionList,
    SetQuestion,
    find_question,
    question_list,
    questions,
    questions_for_people,
    set_questions,
)
from knowledge.selectors.reasons import groups_of_fold
from knowledge.selectors.releases import released_problems
