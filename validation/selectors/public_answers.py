"""Which answers everyone may know."""

from django.db.models import Exists, OuterRef, Q

from validation.models import GoldQuestion, Seat


def with_public_answers() -> Q:
    """Return the condition on twins that their answers are published, and nobody validates them.

    Those with open seats or gold questions can still be given to a validator.
    """
    open_seats = Seat.objects.numbered().filter(question__twin=OuterRef("pk"), answered_at=None)
    golds = GoldQuestion.objects.filter(question__twin=OuterRef("pk"), retired_at=None)
    # A join: as a subquery beside another condition, all of train would be read each time.
    return Q(published_answer__isnull=False) & ~Exists(open_seats) & ~Exists(golds)
