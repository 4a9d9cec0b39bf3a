"""Services of knowledge: formulas, questions, proofs, sentences, validation, reasons, releases."""

from knowledge.services.formalising import (
    Mark,
    add_formula,
    formalise,
    formalise_with,
    qualification_for,
    solved,
    submit_exercise,
)
from knowledge.services.formalising_tasks import (
    free_questions_of,
    return_question,
    take_question,
)
from knowledge.services.importing import import_knowledge
from knowledge.services.knowledge_sets import (
    change_knowledge_set,
    create_knowledge_set,
    draft,
    put_words,
)
from knowledge.services.proofs import (
    Checked,
    check_formalisation,
    check_formula,
    prove,
    prove_pair,
    start_sweep,
    stored_proof,
)
from knowledge.services.releases import build_knowledge_release, import_reasons
from knowledge.services.sentences import (
    Offer,
    delete_sentence,
    false_versions,
    write_false_version,
    write_sentence,
)
from knowledge.services.validation import begin_validation
