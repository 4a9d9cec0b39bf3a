"""Refuses models without the head that a method needs."""

from evaluation.methods import NEEDS
from modeling.specs import ModelSpec
from modeling.uses import uses_of
from winoplatform.errors import DomainError


def refuse_without_head(model: str, *, use: str, title: str) -> None:
    """Refuse a model on this machine that is known to lack the head for a use."""
    spec = ModelSpec.parse(model)
    uses = uses_of(spec)
    if uses is not None and use not in uses:
        known = [NEEDS[name] for name in NEEDS if name in uses and name != "pooled"]
        raise DomainError(
            "model_unsuitable",
            f"The method “{title}” needs {NEEDS[use]}, and {spec.public_name} is "
            f"{' and '.join(map(str, known)) or NEEDS['pooled']}. Choose another method or another "
            "model.",
        )
