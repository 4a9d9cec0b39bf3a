"""Short names of runs and models, and short numbers."""

from django.utils.translation import gettext as now

from filtering.models import Encoding, SentenceEncoding, Tuning
from modeling.specs import short_name
from workers.models import Qualification


def short_float(value: float) -> str:
    """Format a float briefly but exactly: 1, 0.75, 1e-5."""
    return repr(value).removesuffix(".0").replace("e-0", "e-")


def encoder_name(run: Encoding | SentenceEncoding | Tuning) -> str:
    """Return an encoder's short name."""
    name = short_name(run.encoder)
    return now("%s, tuned") % name if getattr(run, "tuning_id", None) else name


JOIN_PAGES: dict[str, str] = {
    Qualification.Skill.WRITE: "join",
    Qualification.Skill.VALIDATE: "join-validate",
    Qualification.Skill.FORMALISE: "join-formalise",
}
"""The page on which a person accepts the guidelines of each kind of work."""
