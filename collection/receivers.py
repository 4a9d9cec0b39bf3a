"""Receivers of the signals of `workers`; each runs in the sender's transaction."""

from typing import Any

from django.dispatch import receiver

from collection.services.crowd.sessions import leave_all
from workers.models import User
from workers.signals import account_erased


@receiver(account_erased, dispatch_uid="collection.return_work")
def return_work(sender: type[User], account: User, **_: Any) -> None:
    leave_all(account)
