from decimal import Decimal
from typing import Any, get_args

from rest_framework import serializers

from collection.models import Campaign
from corpora.models import ReferenceSet, Release
from knowledge.core import formalisation as core
from knowledge.core.reporting import Obligation
from knowledge.core.slots import Form
from knowledge.models import (
    Formalisation,
    Formula,
    KnowledgeSet,
    LexiconEntry,
    Reason,
    Sentence,
    Sweep,
)
from winoplatform.api.fields import (
    LONGEST_KEY,
    LONGEST_TEXT,
    AmountField,
    ByPublicId,
    BySlug,
    ByText,
    VerbatimField,
)
from winoplatform.api.results import result_serializer
from winoplatform.api.rows import RowSerializer
from winoplatform.api.runs import RUN_FIELDS, RunSerializer
from winoplatform.runs.models import RunStatus

MOST_THINGS = 100


def money(**options: Any) -> AmountField:
    return AmountField(max_digits=10, min_value=Decimal(0), **options)


class KnowledgeSetSerializer(RowSerializer):
    class Meta:
        model = KnowledgeSet
        help = {"campaign": "Pays for work on the set."}
        fields = (
            "name", "title", "release", "reference_set", "campaign", "formalisation_reward",
            "created_at",
        )  # fmt: skip


class ChangedKnowledgeSetSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=200, required=False)
    campaign = BySlug(
        Campaign.objects.all(),
        required=False,
        help_text="Pays for work on the set; for a release, by default its own campaign.",
    )
    formalisation_reward = money(
        required=False,
        allow_null=True,
        help_text="Pay for each question whose formalisation is verified; without an amount, "
        "workers do not formalise.",
    )
    exercise = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        max_length=10,
        help_text="Ids of the questions that a worker formalises to qualify.",
    )


class NewKnowledgeSetSerializer(ChangedKnowledgeSetSerializer):
    name = serializers.SlugField(max_length=50)
    release = ByPublicId(Release.objects.all(), required=False)
    reference_set = ByText(
        ReferenceSet.objects.all(), key="name", required=False, help_text="Instead of a release."
    )


class ThingSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(
        max_length=LONGEST_KEY, help_text="In the formulas, such as Trophy."
    )
    words = VerbatimField(
        allow_blank=True, default="", help_text="The question's noun phrase, such as “the trophy”."
    )
    kind = VerbatimField(allow_blank=True, default="", help_text="Such as “person” or “object”.")


class ContentSerializer(serializers.Serializer[Any]):
    """A question as formulas; texts are read as they are, and problems point at their places."""

    things = ThingSerializer(many=True, max_length=MOST_THINGS)  # type: ignore[call-arg]  # of the list
    options = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_KEY),
        max_length=MOST_THINGS,
        help_text="Names of things, one for each option of the question, in their order.",
    )
    answer = serializers.CharField(max_length=LONGEST_KEY, help_text="The right option.")
    pronoun = serializers.CharField(
        max_length=LONGEST_KEY, help_text="The name that stands for the pronoun."
    )
    scene = serializers.ListField(
        child=VerbatimField(allow_blank=True),
        default=list,
        help_text="What the sentence says without the pronoun's clause.",
    )
    clause = VerbatimField(allow_blank=True, help_text="What it says of the pronoun.")
    outcome = VerbatimField(
        allow_blank=True, allow_null=True, default=None, help_text="What the clause explains."
    )


def content_of(asked: dict[str, Any]) -> core.Formalisation:
    """Return the formalisation of a validated ``ContentSerializer``."""
    names: Any = ContentSerializer().fields
    return core.Formalisation.from_dict({name: asked[name] for name in names})


class FormulaNamesSerializer(serializers.Serializer[Any]):
    formulas = serializers.ListField(
        child=serializers.CharField(max_length=60),
        default=list,
        help_text="Names of the set's formulas that it uses.",
    )


class NewFormalisationSerializer(ContentSerializer, FormulaNamesSerializer):
    question = serializers.CharField(max_length=200, help_text="Id of the question.")


class KnowledgeSerializer(serializers.Serializer[Any]):
    knowledge = serializers.DictField(
        child=VerbatimField(allow_blank=True),
        default=dict,
        help_text="Formulas of knowledge by name.",
    )


class CheckSerializer(KnowledgeSerializer, FormulaNamesSerializer):
    """A formula alone, or a formalisation with its knowledge."""

    formula = VerbatimField(allow_blank=True, required=False)
    formalisation = ContentSerializer(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("formula" in attrs) == ("formalisation" in attrs):
            raise serializers.ValidationError(
                {"formula": "Send a formula or a formalisation."}, code="required"
            )
        return attrs


class FormulaSerializer(RowSerializer):
    class Meta:
        model = Formula
        fields = ("name", "text", "shown", "author", "created_at")


class NewFormulaSerializer(serializers.Serializer[Any]):
    name = serializers.SlugField(max_length=60)
    text = VerbatimField(allow_blank=True)


class FormalisationSerializer(RowSerializer):
    content = ContentSerializer()
    formulas: Any = serializers.SlugRelatedField("name", many=True, read_only=True)
    verified = serializers.BooleanField(help_text="By the present version of the prover.")

    class Meta:
        model = Formalisation
        paths = {"knowledge_set": "knowledge_set.name"}
        fields = (
            "id", "knowledge_set", "question", "number", "content", "formulas", "fingerprint",
            "verified", "author", "created_at",
        )  # fmt: skip


class ProvedClaimSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    verdict = serializers.CharField()
    script = serializers.CharField(help_text="SMT-LIB 2.6, with the answer it must give.")


class ExaminationSerializer(serializers.Serializer[Any]):
    """What the prover found, in words."""

    verified = serializers.BooleanField()
    obligations = result_serializer(Obligation)(many=True)  # type: ignore[arg-type]
    warnings = serializers.ListField(child=serializers.CharField())
    ways = serializers.ListField(child=serializers.CharField())
    cores = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="By way: a minimal set of formulas with which it picks the answer.",
    )
    worlds = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="By way: a world that refutes it, if none picks the answer.",
    )
    undecided = serializers.CharField(allow_blank=True, help_text="The claim that stayed open.")
    limit = serializers.CharField(allow_null=True, help_text="What ended it.")


class ProofSerializer(ExaminationSerializer):
    prover = serializers.CharField()
    seconds = serializers.FloatField()
    claims = ProvedClaimSerializer(many=True)
    created_at = serializers.DateTimeField()


class FormalisationDetailSerializer(FormalisationSerializer):
    proof = ProofSerializer(allow_null=True, help_text="null until it is proved.")

    class Meta(FormalisationSerializer.Meta):
        fields = (*FormalisationSerializer.Meta.fields, "proof")  # type: ignore[assignment]


class PairSerializer(serializers.Serializer[Any]):
    first = serializers.UUIDField(help_text="Id of a formalisation.")
    second = serializers.UUIDField(help_text="Id of its twin's.")


class PairResultSerializer(serializers.Serializer[Any]):
    resolved = serializers.BooleanField(
        help_text="Whether the same formulas resolve each to its own answer."
    )
    first = ExaminationSerializer()
    second = ExaminationSerializer()


class QuestionSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(source="item.id")
    group = serializers.CharField(source="item.group", help_text="Shared by twins.")
    sentence = serializers.CharField(source="item.sentence")
    options = serializers.ListField(child=serializers.CharField(), source="item.options")
    answer = serializers.IntegerField(source="item.answer", allow_null=True, help_text="From 1.")


class SetQuestionSerializer(QuestionSerializer):
    is_held_back = serializers.BooleanField(help_text="Whether it is for curators alone.")
    state = serializers.ChoiceField(
        choices=["open", "mine", "taken", "refuted", "verified"],
        help_text="refuted: formalised, and not verified.",
    )
    formalisation = FormalisationSerializer(
        allow_null=True, help_text="The newest, for curators and its author."
    )


class QuestionPageSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    count_is_exact = serializers.BooleanField(
        help_text="If not, `count` includes questions that are held back; pages leave them out."
    )
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = SetQuestionSerializer(many=True)


class LexiconEntrySerializer(serializers.ModelSerializer[LexiconEntry]):
    negative = serializers.CharField(
        max_length=200, allow_blank=True, default="", help_text="Empty for an action."
    )

    class Meta:
        model = LexiconEntry
        fields = ("name", "positive", "negative")


class MentionSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=200)
    plural = serializers.BooleanField(default=False)


class SentenceDraftSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(help_text="With slots.")
    mentions = serializers.DictField(
        child=MentionSerializer(), help_text="The question's noun phrase of each slot."
    )


class FormulaNameSerializer(serializers.Serializer[Any]):
    formula = serializers.CharField(max_length=60, help_text="Name of a formula that it uses.")


class SentenceSerializer(RowSerializer):
    question = serializers.CharField(source="formalisation.question", read_only=True)
    formula = serializers.CharField(
        source="formula.name", allow_null=True, default=None, read_only=True
    )
    forms = serializers.SerializerMethodField(help_text="The variable, grounded and natural text.")

    class Meta:
        model = Sentence
        fields = (
            "id", "question", "formula", "of", "kind", "text", "mentions", "forms",
            "false_formula", "pick", "author", "created_at",
        )  # fmt: skip
        help = {"of": "The true sentence of a false version."}

    def get_forms(self, row: Sentence) -> dict[str, str]:
        return {form: row.text_in(form) for form in get_args(Form)}


class NewSentenceSerializer(serializers.Serializer[Any]):
    formalisation = serializers.UUIDField(help_text="The version that it is written for.")
    formula = serializers.CharField(max_length=60, required=False, help_text="Name.")
    text = serializers.CharField(max_length=LONGEST_TEXT, help_text="With slots.")
    mentions = serializers.DictField(child=MentionSerializer(), default=dict)


class NewFalseVersionSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=Sentence.Kind.choices[1:])
    text = serializers.CharField(max_length=LONGEST_TEXT, help_text="With slots.")
    false_formula = VerbatimField(allow_blank=True, default="")


class OfferSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField(source="changed.kind.value")
    side = serializers.CharField(
        source="changed.side.value", help_text="antecedent, consequent or whole."
    )
    pick = serializers.CharField(source="pick.value", help_text="other, or neither.")
    formula = serializers.CharField()
    text = serializers.CharField(allow_blank=True, help_text="Empty where words are missing.")


class KnowledgeReasonSerializer(serializers.ModelSerializer[Reason]):
    validity = serializers.CharField(read_only=True)
    share = serializers.FloatField(read_only=True, help_text="Of the people who accepted it.")

    class Meta:
        model = Reason
        fields = (
            "collection", "question", "number", "group", "sentence", "pronoun", "right", "wrong",
            "text", "source", "n_accepted", "n_votes", "share", "validity", "types", "flags",
        )  # fmt: skip


class SweepSerializer(RunSerializer):
    knowledge_set = serializers.SlugField(source="knowledge_set.name")
    # A column with a default would be optional in the description.
    status = serializers.ChoiceField(choices=RunStatus.choices)

    class Meta:
        model = Sweep
        fields = (*RUN_FIELDS, "knowledge_set", "prover", "n_verified", "n_undecided")


class NewSweepSerializer(serializers.Serializer[Any]):
    knowledge_set = ByText(
        KnowledgeSet.objects.all(), key="name", help_text="Name of the knowledge set."
    )
