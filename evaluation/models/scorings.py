"""What is scored and how: the columns that a request for scores has, and their rules."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from corpora.core.bundle.layout import BLIND as BLIND_SPLIT
from corpora.models import ReferenceSet, Release, Snapshot
from corpora.models.one_set import BLIND, WHOLE, known_transformation, require_known
from evaluation.methods import ITEMS, METHODS, STATEMENTS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.methods.fine_tuned import FINE_TUNED
from evaluation.methods.remote import REMOTE
from evaluation.models.statements import OfStatements, statement_rules
from filtering.models import Encoding
from modeling.loaded import DTYPES
from modeling.specs import ModelSpec
from winoplatform.db.columns import optional
from winoplatform.db.constraints import check
from winoplatform.runs.columns import known
from winoplatform.runs.models import Run


def known_method(name: str) -> None:
    """Validate the name of a method; not an enumeration in the table, so a method is one module."""
    require_known("method", name, METHODS)


class Scoring(OfStatements, Run):
    """A run that scores questions with a method, or statements.

    The questions are one split of a release or of a reference set, or a whole snapshot.
    """

    INPUT = "release"
    ALSO_NEEDS: ClassVar[tuple[str, ...]] = (
        "snapshot", "encoding", "fine_tuning", "knowledge_release",
    )  # fmt: skip
    WHOLE = WHOLE
    # The columns that say which questions, and which system scores them.
    ASKED = (
        "release", "reference_set", "snapshot", "split", "transformation", "method", "variant",
        "model", "dtype", "encoding", "fine_tuning",
    )  # fmt: skip

    class Dtypes(models.TextChoices):
        FLOAT32 = "float32", "float32"
        BFLOAT16 = "bfloat16", _("bfloat16, faster and rounded")

    release = optional(Release, "%(class)ss")
    reference_set = optional(ReferenceSet, "%(class)ss")
    snapshot = optional(Snapshot, "%(class)ss")
    split = models.SlugField(default="dev", help_text=_("“all” for a snapshot."))
    transformation = models.SlugField(
        blank=True,
        validators=[known_transformation],
        help_text=_("Applied to the questions first; empty for none."),
    )
    method = models.SlugField(validators=[known_method])
    variant = models.SlugField(blank=True, help_text=_("Of the method; empty if it has none."))
    model = models.CharField(
        max_length=300, blank=True, help_text=_("The model under test; empty for a baseline.")
    )
    dtype = models.CharField(
        max_length=16,
        choices=Dtypes,
        default=Dtypes.FLOAT32,
        help_text=_("Number format of the model’s computation, on any machine."),
    )
    encoding = optional(
        Encoding, "%(class)ss", help_text=_("The encoding whose features the linear model uses.")
    )
    fine_tuning = optional(
        "evaluation.FineTuning", "%(class)ss", help_text=_("The fine-tuned model under test.")
    )
    remote_confirmed = models.BooleanField(
        default=False,
        help_text=_("A curator confirmed that blind questions are sent to the server."),
    )

    class Meta(Run.Meta):
        abstract = True
        ordering: ClassVar = ["-pk"]

    def clean(self) -> None:
        """Require what the method answers and needs: a model or none, a variant, and so on."""
        super().clean()
        method = METHODS.get(self.method)
        if method is None:  # the field's validator says so
            return
        asked = STATEMENTS if self.is_of_statements else ITEMS
        if asked not in method.about:
            values = {"method": method.title, "asked": asked}
            refusal = _("The method “%(method)s” does not answer %(asked)s.") % values
            raise ValidationError({"method": refusal})
        if method.has_model and not self.model:
            raise ValidationError({"model": _("This method needs a model.")})
        if not method.has_model and self.model:
            raise ValidationError({"model": _("This method has no model; leave it empty.")})
        if self.variant not in (self.variants or ("",)):
            names = ", ".join(self.variants) or _("none")
            raise ValidationError(
                {"variant": _("The variant is one of: %(names)s.") % {"names": names}}
            )
        if method.transformation and self.transformation != method.transformation:
            said = _("This method needs the transformation “%s”.") % method.transformation
            raise ValidationError({"transformation": said})

    @property
    def variants(self) -> Sequence[str]:
        """The names of its method's variants that may be asked for.

        None for statements, but of an ensemble: they have no options to score in ways.
        """
        method = METHODS.get(self.method)
        found = tuple(method.variants) if method else ()
        return found[: self.method == ENSEMBLE] if self.is_of_statements else found

    @property
    def queue(self) -> str:
        method = METHODS.get(self.method)
        reads_corpus = method is not None and method.reads == "corpus"
        return "heavy" if self.model or reads_corpus else "light"

    @property
    def input_run(self) -> Run | None:
        return self.release or self.snapshot or self.knowledge_release

    @property
    def system(self) -> str:
        """What is under test, in words: the model, the method, its variant, how it is trained."""
        method = METHODS.get(self.method)
        title = str(method.title) if method else self.method
        variant = str(method.variants.get(self.variant, self.variant)) if method else self.variant
        trained = "" if self.is_frozen else str(_("whole model trained"))
        return " · ".join(filter(None, [self.named, title, variant, trained]))

    @property
    def named(self) -> str:
        """The name of what answers; empty for a method without a model."""
        if self.fine_tuning is not None:
            return str(self.fine_tuning.system)
        return self.model if self._is_plain else ModelSpec.parse(self.model).short_name

    @property
    def model_name(self) -> str:
        """The model's whole name, of a folder without its path; of a fine-tuned model, in words."""
        if self.fine_tuning is not None:
            return str(self.fine_tuning.system)
        return self.model if self._is_plain else ModelSpec.parse(self.model).public_name

    @property
    def _is_plain(self) -> bool:
        """Whether the model's name has no form of a spec: none, or that of a server's model."""
        return not self.model or self.method == REMOTE

    @property
    def campaign(self) -> Campaign | None:
        """Whose questions it scores; None for a reference set."""
        snapshot = self.snapshot or (self.release.snapshot if self.release else None)
        return snapshot.campaign if snapshot else None

    @property
    def is_blind(self) -> bool:
        """Whether it scores questions whose labels are not published."""
        if self.snapshot_id is not None:
            return True
        return self.release_id is not None and self.split == BLIND_SPLIT


def scoring_rules() -> list[Any]:
    """Return the constraints of what is asked."""
    whole = check(
        "snapshot_is_scored_whole",
        Q(snapshot=None) | Q(split=WHOLE),
        "A snapshot has no splits: it is scored whole.",
    )
    return [known("dtype", *DTYPES), whole, *_rules_of_system(), *statement_rules()]


def _rules_of_system() -> list[Any]:
    return [
        check(
            "linear_has_an_encoding",
            Q(method="linear", encoding__isnull=False) | (~Q(method="linear") & Q(encoding=None)),
            "Only the linear model uses an encoding.",
        ),
        check(
            "fine_tuned_has_a_model",
            Q(method=FINE_TUNED, fine_tuning__isnull=False)
            | (~Q(method=FINE_TUNED) & Q(fine_tuning=None)),
            "The method “fine_tuned”, and no other one, scores a fine-tuned model.",
        ),
        check(
            "encoding_has_no_transformation",
            Q(encoding=None) | Q(transformation=""),
            "An encoding has features of the questions as they are, not transformed.",
        ),
        check(
            "blind_questions_are_sent_if_confirmed",
            ~Q(method=REMOTE) | ~BLIND | Q(remote_confirmed=True),
            "Blind questions are sent to a server only if a curator confirms it.",
        ),
    ]
