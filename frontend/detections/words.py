"""Artifact detections in words."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from corpora.core.clues.results import PAIRS, UNPAIRED, Family
from evaluation.core.artifacts.results import SEPARATOR, Detected, results
from evaluation.models import ArtifactDetection
from filtering.models import Encoding
from frontend.names import encoder_name
from frontend.runs.words import RunWords, register
from modeling.specs import short_name

TITLES: dict[str, Any] = {
    "full_sentence": later("Whole sentence"),
    "local_context": later("Local context"),
    "no_candidates": later("No candidates"),
    "part_sentence": later("Part of the sentence"),
    "candidates_only": later("Candidates only"),
    "option_position": later("Order of the options"),
}
SEEN: dict[str, Any] = {
    "full_sentence": later("The whole sentence and the options, for comparison."),
    "local_context": later("Two words before the blank, all words after it, and the options."),
    "no_candidates": later("The sentence without the mentions of the options, and the options."),
    "part_sentence": later(
        "What follows the last connective or punctuation mark before the blank, and the options."
    ),
    "candidates_only": later("The options, without a sentence."),
    "option_position": later("Which option is listed first."),
}
SPLITS: dict[str, Any] = {
    "train-and-dev": later("train and dev"),
    "train": later("train"),
    "dev": later("dev"),
    "all": later("all questions"),
}


KINDS: dict[str, Any] = {
    "lengths": later("Which twin has more words, characters or marks"),
    "numbers": later("Which twin has more of a class of characters or words in a part"),
    "remainders": later("Odd and even numbers, remainders, lengths"),
    "characters": later("One to three characters in a row"),
    "words": later("Single words, their lengths and places"),
    "options": later("Order, length and form of the options"),
    "beside": later("Characters and words in the options and beside their mentions"),
    "two together": later("Two properties of a sentence together"),
    "all together": later("All of these in one model"),
}


def kind_of(family: Family) -> str:
    """Return the name of a kind of clues."""
    return str(KINDS.get(family.name, family.name))


def over(family: Family) -> str:
    """Return how many pairs or unpaired questions are counted."""
    words = {
        PAIRS: ngettext("%(n)s pair", "%(n)s pairs", family.n),
        UNPAIRED: ngettext("%(n)s unpaired question", "%(n)s unpaired questions", family.n),
    }
    return words[family.unit] % {"n": f"{family.n:,}"}


def about_set(run: ArtifactDetection) -> dict[str, str]:
    """Return the name of the set that is examined, its page, and the page that starts a search.

    Of a snapshot, name and page are those of its campaign.
    """
    key: Any
    if (reference_set := run.reference_set) is not None:
        kind, name, key = "reference-set", reference_set.title, reference_set.name
        page = reverse("reference-set", args=[key])
    elif (release := run.release) is not None:
        kind, name, key = "release", release.name, release.name
        page = reverse("release", args=[key])
    else:
        assert run.snapshot is not None
        campaign, kind, key = run.snapshot.campaign, "snapshot", run.snapshot.public_id
        name, page = _("Snapshot of %s") % campaign.name, reverse("pipeline", args=[campaign.slug])
    start = reverse(f"detect-in-{kind}", args=[key])
    return {"set_name": name, "set_href": page, "new_href": start}


def title_of(name: str) -> str:
    """Return a detector's name; of an encoding its encoder, and with its scorer if it has one."""
    name, separator, scorer = name.partition(SEPARATOR)
    return str(TITLES.get(name) or _("Encoding by %s") % short_name(name)) + separator + scorer


def seen_by(name: str) -> str:
    """Describe what a detector sees."""
    return str(SEEN.get(name) or _("The encoding’s features of each option."))


def split_name(run: ArtifactDetection) -> str:
    """Return the name of the split; that of a reference set is its own."""
    return run.split if run.reference_set is not None else str(SPLITS[run.split])


def about(run: ArtifactDetection) -> str:
    """Return one line that distinguishes a search from others of its set."""
    encoding = encoder_name(run.encoding) if run.encoding else ""
    n = len(run.scorers)
    scorers = ngettext("%s model", "%s models", n) % n if n else ""
    seed = _("seed %s") % run.seed if run.seed else ""
    return " · ".join(filter(None, [split_name(run), encoding, scorers, seed]))


def encoding_choice(encoding: Encoding) -> str:
    """Return an encoding's name in the form."""
    return f"{encoder_name(encoding)} · {encoding.get_features_display()}"


def dropped(one: Detected) -> list[tuple[str, int]]:
    """Return the reasons for which items are missing, the most frequent first."""
    return sorted(one.dropped.items(), key=lambda pair: -pair[1])


class ArtifactDetectionWords(RunWords[ArtifactDetection]):
    stage = 7
    related = ("reference_set", "snapshot__campaign")
    page = "detection"
    of_total = later("%s of %s detectors")

    def about(self, run: ArtifactDetection) -> str:
        return f"{about_set(run)['set_name']} · {about(run)}"

    def progress(self, run: ArtifactDetection) -> str:
        if run.result is not None:
            return _("clue found") if results(run.result).is_leaking else _("no clue found")
        return super().progress(run)


register(ArtifactDetection, ArtifactDetectionWords())
