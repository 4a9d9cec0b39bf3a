"""Receivers for signals of `collection`, and of releases."""

from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.dispatch import receiver

from collection.models import Twin
from collection.signals import public_labels_wanted
from corpora import services
from corpora.models import Draw, Release
from corpora.signals import release_built
from validation.models import GoldQuestion, Seat


@receiver(public_labels_wanted, dispatch_uid="corpora.train_labels")
def train_labels(sender: type[Twin], **_: Any) -> Q:
    """Select twins whose answers are public: those in train that no validator can still get.

    Twins without a split may become blind; those with open seats or gold questions are being
    validated.
    """
    open_seats = Seat.objects.numbered().filter(question__twin=OuterRef("pk"), answered_at=None)
    golds = GoldQuestion.objects.filter(question__twin=OuterRef("pk"), retired_at=None)
    # A join: as a subquery beside another condition, all of train would be read each time.
    return Q(draw__split=Draw.Split.TRAIN) & ~Exists(open_seats) & ~Exists(golds)


@receiver(release_built, dispatch_uid="corpora.split_forms")
def split_forms(sender: type[Release], release: Release, **_: Any) -> None:
    """Make the files that a public release is asked for; others are made when they are."""
    if release.is_public:
        services.make_forms(release)
