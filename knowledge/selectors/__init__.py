"""Queries across tables: a set's questions, its validation and its releases."""

from knowledge.selectors.question_states import (
    QuestionState,
    proof_results,
    question_states,
    with_proof,
)
from knowledge.selectors.questions import (
    QuestionLine,
    QuestionList,
    SetQuestion,
    find_question,
    question_list,
    questions,
    questions_for_people,
    set_questions,
)
from knowledge.selectors.releases import (
    groups_of_fold,
    knowledge_people,
    knowledge_release_people,
    lexicon_of,
    released_problems,
)
from knowledge.selectors.validation import SetFigures, policy_of, set_figures
