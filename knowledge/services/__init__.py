"""Services of knowledge: formulas, questions, proofs, sentences, validation, reasons, releases."""

from knowledge.services.annotation import (
    begin_validation,
    change_validation_status,
    end_enrolment,
    enrol,
)
from knowledge.services.answers import (
    answer_sentence,
    beat_sentence,
    claim_sentence,
    return_sentence,
)
from knowledge.services.checking import Checked, check_formalisation, check_formula
from knowledge.services.formalising import add_formula, formalise, formalise_with
from knowledge.services.formalising_tasks import (
    FORMALISE,
    free_questions_of,
    return_question,
    take_question,
)
from knowledge.services.importing import import_knowledge
from knowledge.services.knowledge_sets import change_knowledge_set, create_knowledge_set
from knowledge.services.lexicon import draft, put_words
from knowledge.services.offers import Offer, false_versions, offer_false_versions
from knowledge.services.proofs import prove, prove_pair, start_sweep, stored_proof
from knowledge.services.qualifying import Mark, solved, submit_exercise
from knowledge.services.reasons import import_reasons
from knowledge.services.releases import build_knowledge_release
from knowledge.services.sentences import delete_sentence, write_false_version, write_sentence
