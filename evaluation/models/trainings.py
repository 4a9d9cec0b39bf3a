"""What a model can be fine-tuned on: names of splits, and which are not blind."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import DEBIASED, DEV, TRAINING
from evaluation.core.transformations import TELL_ANSWERS
from evaluation.models.scorings import known_transformation

AND = "+"
TRAIN = "train"
# The answers of a release's test split are blind: nobody trains on it or chooses a model by it.
_TRAINED = (TRAIN, *TRAINING, DEBIASED)
RELEASE_TRAINING = (*_TRAINED, *(AND.join([name, DEV]) for name in _TRAINED), DEV)


def learnable_transformation(name: str) -> None:
    """Validate the name of a transformation whose sentences do not contain the answers."""
    known_transformation(name)
    if name in TELL_ANSWERS:
        raise ValidationError(
            _("The transformation “%(name)s” writes the answers into the sentences."),
            params={"name": name},
        )
