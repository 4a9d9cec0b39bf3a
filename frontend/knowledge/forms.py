"""Forms of knowledge sets."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from corpora.models import ReferenceSet, Release
from knowledge.core.language.limits import MOST_CHARACTERS
from knowledge.core.slots import MAX_LENGTH
from knowledge.core.validation import ANNOTATORS, NEEDED
from knowledge.models import Sentence
from panels.models import MOST_VOTES
from winoplatform.api.fields import LONGEST_TEXT
from winoplatform.db.money import AmountFormField
from winoplatform.http.rights import reader
from winoplatform.runs.models import RunStatus

PLAIN = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


def over_choices() -> list[tuple[str, str]]:
    """Return what a set can be over: releases that are done, and reference sets."""
    releases = Release.objects.filter(Release.of_member(reader()), status=RunStatus.DONE).order_by(
        "-pk"
    )
    names = [(f"release:{row.name}", str(_("release %s") % row.name)) for row in releases]
    sets = ReferenceSet.objects.visible_to(reader()).order_by("name")
    return names + [(f"reference_set:{row.name}", str(_("reference set %s") % row)) for row in sets]


class CampaignField(forms.ModelChoiceField):
    """A campaign that the user is a member of."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "CampaignField":
        field: CampaignField = super().__deepcopy__(memo)
        field.queryset = Campaign.objects.visible_to(reader()).order_by("name")
        return field


def campaign_field(label: Any, empty_label: Any, help_text: Any) -> forms.ModelChoiceField:
    return CampaignField(
        Campaign.objects.none(),
        label=label,
        required=False,
        empty_label=empty_label,
        to_field_name="slug",
        help_text=help_text,
    )


class NewSetForm(forms.Form):
    """A name, the questions, and who pays."""

    name = forms.SlugField(
        label=_("Short name"),
        max_length=50,
        widget=forms.TextInput(PLAIN),
        help_text=_("Letters, digits and hyphens; it stands in addresses and files."),
    )
    title = forms.CharField(label=_("Title"), max_length=200, required=False)
    over = forms.ChoiceField(label=_("Questions"), choices=over_choices)
    campaign = campaign_field(
        _("Campaign that pays"),
        _("the campaign of the release, if it is over one"),
        _("For annotators and experts, in its currency. Without one, nobody is paid."),
    )

    def clean(self) -> dict[str, Any]:
        """Return the arguments of ``services.create_knowledge_set``."""
        asked = dict(self.cleaned_data)
        kind, _colon, name = asked.pop("over", "").partition(":")
        if kind == "release":
            asked[kind] = (
                Release.objects.visible_to(reader())
                .filter(name=name, status=RunStatus.DONE)
                .first()
            )
        elif kind:
            asked[kind] = ReferenceSet.objects.visible_to(reader()).get(name=name)
        return asked


class FormulaForm(forms.Form):
    """A formula of knowledge."""

    name = forms.SlugField(label=_("Name"), max_length=60, widget=forms.TextInput(PLAIN))
    text = forms.CharField(
        label=_("Formula"),
        max_length=MOST_CHARACTERS,
        widget=forms.Textarea(PLAIN | {"rows": 2, "class": "formula"}),
        help_text=_("Such as: too_large(x) -> not Poss(fit_into(x, y), s)"),
    )


class WordsForm(forms.Form):
    """The words of a predicate or an action."""

    name = forms.CharField(
        label=_("Predicate or action"), max_length=80, widget=forms.TextInput(PLAIN)
    )
    positive = forms.CharField(
        label=_("Words"),
        max_length=200,
        widget=forms.TextInput(PLAIN),
        help_text=_("{x is|are} strong enough – or, of an action: possible for {x} to lift {y}"),
    )
    negative = forms.CharField(
        label=_("Its opposite"),
        max_length=200,
        required=False,
        widget=forms.TextInput(PLAIN),
        help_text=_("{x is|are} not strong enough; empty for an action"),
    )


class FalseForm(forms.Form):
    """A false version, from an offer or by hand."""

    kind = forms.ChoiceField(
        label=_("How it differs"),
        choices=[kind for kind in Sentence.Kind.choices if kind[0] != Sentence.Kind.TRUE],
        initial=Sentence.Kind.CHANGED,
    )
    text = forms.CharField(
        label=_("False sentence"),
        max_length=MAX_LENGTH,
        widget=forms.Textarea({"rows": 3, "spellcheck": "true"}),
    )
    false_formula = forms.CharField(
        max_length=LONGEST_TEXT, required=False, widget=forms.HiddenInput
    )


class BeginForm(forms.Form):
    """Who answers, how often, and what it pays."""

    campaign = campaign_field(
        _("Campaign"),
        _("the one that pays for the set"),
        _("Its validators answer, and its budget pays."),
    )
    annotators = forms.IntegerField(
        label=_("Annotators"), min_value=1, max_value=MOST_VOTES, initial=ANNOTATORS
    )
    needed = forms.IntegerField(
        label=_("Answers that make a problem valid"),
        min_value=1,
        max_value=MOST_VOTES,
        initial=NEEDED,
    )
    pays = forms.ChoiceField(
        label=_("Paid for"), choices=[("set", _("the whole set")), ("answer", _("each answer"))]
    )
    amount = AmountFormField(
        label=_("Amount"),
        max_digits=8,
        help_text=_("For one annotator, in the campaign’s currency."),
    )
    seed = forms.IntegerField(
        label=_("Seed of the orders"), min_value=0, max_value=2**63 - 1, initial=0, required=False
    )

    def clean(self) -> dict[str, Any]:
        """Return the arguments of ``services.begin_validation``."""
        asked = dict(self.cleaned_data)
        amount = "whole_set" if asked.pop("pays", "") == "set" else "reward"
        return asked | {amount: asked.pop("amount", None), "seed": asked.get("seed") or 0}
