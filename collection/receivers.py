"""Receivers for collection's own rows; each runs in the sender's transaction."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.utils.translation import gettext as _

from collection.selectors.crowd import is_participant
from workers.models import User
from workers.signals import user_checked


# Connected to the validation of forms and services, for a message to users, and to the save itself
# as the last guard.
@receiver(
    [user_checked, pre_save], sender=User, dispatch_uid="collection.participants_stay_workers"
)
def participants_stay_workers(sender: type[User], instance: User, **extra: Any) -> None:
    """Refuse to make an account that signs in by a link a curator."""
    is_new = instance.pk is None
    if instance.role != User.Role.WORKER and not is_new and is_participant(instance):
        message = _(
            "This account came from a crowd platform and signs in by a link, so it must stay "
            "a worker. Create a separate account for a curator."
        )
        raise ValidationError({"role": message})
