"""What members of a campaign share about its questions: named views and comments."""

import uuid

from django.db import transaction
from django.utils.translation import gettext as _

from collection.models import Campaign, Question
from collection.models.members import rights_in
from validation.models import QuestionComment, SavedView
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, existing
from winoplatform.http.rights import Right
from workers.models import User

MOST_VIEWS = 100
MOST_COMMENTS = 200
"""Of one question."""


@transaction.atomic
def save_view(*, campaign: Campaign, name: str, query: str, by: User) -> SavedView:
    """Store a view of a campaign's questions under a name, for all who may read them.

    Parameters
    ----------
    query
        Filters, order and columns, as in an address that the Data tab understands.

    Raises
    ------
    DomainError
        ``name_missing``, ``name_taken``, ``too_long`` or ``too_many``.
    """
    name = " ".join(name.split())
    views = SavedView.objects.filter(campaign=campaign)
    if not name:
        raise DomainError("name_missing", _("Give the view a name."))
    _lock_views(campaign)
    if views.filter(name__iexact=name).exists():
        message = _("There is a view “%(name)s” already. Choose another name, or delete that one.")
        raise Conflict("name_taken", message % {"name": name[:80]})
    if len(query) > SavedView._meta.get_field("query").max_length:  # type: ignore[operator]
        raise DomainError("too_long", _("This view has too many filters to be stored."))
    if views.count() >= MOST_VIEWS:
        message = _("A campaign has at most %(n)d views. Delete one that nobody needs.")
        raise Conflict("too_many", message % {"n": MOST_VIEWS})
    view = SavedView(campaign=campaign, name=name, query=query, by=by, created_at=clock.now())
    view.full_clean()
    view.save()
    return view


def _lock_views(campaign: Campaign) -> None:
    """Let no other view of a campaign be stored until the transaction ends."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


@transaction.atomic
def delete_view(*, view_id: uuid.UUID, campaign: Campaign, by: User) -> None:
    """Delete a view: one's own, or as a member who may change the campaign's settings.

    Raises
    ------
    DomainError
        ``not_found``; ``not_yours``.
    """
    view = existing(SavedView.objects.filter(campaign=campaign, public_id=view_id).first(), "view")
    if not may_delete(view, by=by, rights=rights_in(by, campaign)):
        message = _("Only who saved a view, or a curator of the campaign, can delete it.")
        raise DomainError("not_yours", message, status=403)
    view.delete()


def may_delete(view: SavedView, *, by: User, rights: frozenset[str]) -> bool:
    """Return whether a member with *rights* in the campaign may delete a view."""
    return view.by_id == by.pk or Right.MANAGE in rights


@transaction.atomic
def add_comment(*, question: Question, text: str, key: uuid.UUID, by: User) -> QuestionComment:
    """Add a comment on a question for the campaign's members.

    Parameters
    ----------
    key
        Made by the client: the same comment again, with the same key, is stored once.

    Raises
    ------
    DomainError
        ``text_missing``, ``too_long``, ``too_many``; ``key_used`` for another comment.
    """
    text = text.strip()
    most = QuestionComment._meta.get_field("text").max_length or 0
    if not text:
        raise DomainError("text_missing", _("Write a comment first."))
    if len(text) > most:
        message = _("A comment has at most %(n)d characters.")
        raise DomainError("too_long", message % {"n": most})
    # Locked, so that two requests with one key are stored one after the other.
    Question.objects.select_for_update(no_key=True).get(pk=question.pk)
    stored = QuestionComment.objects.filter(public_id=key).first()
    if stored is not None:
        if (stored.question_id, stored.by_id, stored.text) != (question.pk, by.pk, text):
            raise Conflict("key_used", _("This form was sent before. Load the page again."))
        return stored
    if question.comments.count() >= MOST_COMMENTS:
        message = _("A question has at most %(n)d comments.")
        raise Conflict("too_many", message % {"n": MOST_COMMENTS})
    comment = QuestionComment(
        public_id=key, question=question, by=by, text=text, created_at=clock.now()
    )
    comment.full_clean()
    comment.save()
    return comment


@transaction.atomic
def delete_comment(*, comment_id: uuid.UUID, campaign: Campaign, by: User) -> Question:
    """Delete a comment of one's own for good; return its question.

    Raises
    ------
    DomainError
        ``not_found``, also for another member's.
    """
    own = QuestionComment.objects.filter(
        question__twin__campaign=campaign, by=by, public_id=comment_id
    )
    comment = existing(own.select_related("question").first(), "comment")
    comment.delete()
    return comment.question
