"""What a request for an evaluation of statements has."""

from collections.abc import Sequence
from typing import Any

from corpora.services import refuse_unpermitted
from evaluation.methods import METHODS, NEEDS, STATEMENTS, kinds_in_words
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.methods.problems import CLASSIFIER
from evaluation.models import Evaluation
from knowledge.core.statistics import SEEDS
from knowledge.models import KnowledgeRelease, Reason
from modeling.specs import ModelSpec, family_of, uses_of
from winoplatform.errors import DomainError

NEEDS_MEMBERS = "Name the members of an ensemble (evaluations/ensembles/)."
WINOWHY = "winowhy"
BLOCK = 64  # statements
LARGE = 800  # dimensions; BERT and GPT-2 have 768 in the base size


def statements_asked(
    *,
    method: str,
    model: str = "",
    knowledge_release: KnowledgeRelease | None = None,
    reasons: str = "",
    dtype: str = Evaluation.Dtypes.FLOAT32,
    trained_on: str = "",
    seeds: Sequence[int] = (),
    is_frozen: bool = True,
    rates_of: str = "",
    **others: Any,
) -> dict[str, Any]:
    """Return the columns of a request for answers to a release's statements, or to reasons.

    A classifier learns from the collection *trained_on* ("winowhy" if empty; of reasons, from the
    other folds of these) with the paper's five *seeds* unless others are given, at the learning
    rates of *rates_of*, a model of Table 6; if empty, of the one most like *model*. *others* are
    settings of questions with options.

    Raises
    ------
    DomainError
        When the model is unknown, not permitted or known to lack the head for the method, the
        method needs the members of an ensemble, there are no such reasons, or others are set.
    """
    model = model.strip()
    if names := [name for name, value in others.items() if value]:
        raise DomainError("not_of_statements", f"Statements have no {' and no '.join(names)}.")
    if method == ENSEMBLE:
        raise DomainError("method_incomplete", NEEDS_MEMBERS)
    refuse_unpermitted(model)
    training = _training(method, model, reasons, trained_on, seeds, rates_of)
    for collection in filter(None, {reasons, training["trained_on"]}):
        _refuse_unknown(collection)
    rules = METHODS.get(method)
    if rules is not None and STATEMENTS in rules.about and method != CLASSIFIER and model:
        refuse_without_head(model, use=method, title=str(rules.title))
    return {
        "knowledge_release": knowledge_release,
        "reasons": reasons,
        "split": Evaluation.WHOLE,
        "method": method,
        "model": model,
        "dtype": dtype,
        "is_frozen": is_frozen,
        "block_size": BLOCK,
        **training,
    }


def _training(
    method: str,
    model: str,
    reasons: str,
    trained_on: str,
    seeds: Sequence[int],
    rates_of: str,
) -> dict[str, Any]:
    """Return what a classifier has; for another method what was asked, to be refused."""
    if method != CLASSIFIER:
        return {"trained_on": trained_on, "seeds": list(seeds), "rates_of": rates_of}
    return {
        "trained_on": trained_on or reasons or WINOWHY,
        "seeds": list(seeds) or list(SEEDS),
        "rates_of": rates_of or usual_rates(model),
    }


def usual_rates(model: str) -> str:
    """Return the model of Table 6 that is most like a model, by family and size.

    A causal language model counts as GPT-2, an encoder of another family as BERT, and more than
    800 dimensions as large. A model that is not on this machine counts as BERT (base).
    """
    spec = ModelSpec.parse(model)
    family, width = family_of(spec)
    name = "RoBERTa" if "roberta" in family else "BERT"
    if "causal" in (uses_of(spec) or ()):
        name = "GPT-2"
    return f"{name} ({'large' if width > LARGE else 'base'})"


def _refuse_unknown(collection: str) -> None:
    if not Reason.objects.decided().filter(collection=collection).exists():
        raise DomainError(
            "reasons_unknown",
            f"There are no reasons named “{collection}”. Import them with import_winowhy.",
        )


def refuse_without_head(model: str, *, use: str, title: str) -> None:
    """Refuse a model on this machine that is known to lack the head for a use."""
    spec = ModelSpec.parse(model)
    uses = uses_of(spec)
    if uses is not None and use not in uses:
        raise DomainError(
            "model_unsuitable",
            f"The method “{title}” needs {NEEDS[use]}, and {spec.public_name} is "
            f"{kinds_in_words(uses)}. Choose another method or another model.",
        )
