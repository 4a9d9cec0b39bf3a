from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.db.models import Q

from winoplatform.db.tables import TablesCommand
from winoplatform.management.runs import refusals_as_errors
from winoplatform.personal.mentions import mentions
from workers import services
from workers.models import User


class Command(TablesCommand):
    help = "Show what would be erased of a person; with --yes, erase it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", help="user name or pseudonym")
        parser.add_argument("--yes", action="store_true", help="erase, which nobody can undo")
        parser.add_argument(
            "--pay",
            default="",
            choices=[services.SETTLE, services.VOID],
            help="what becomes of pay that is owed: it was paid outside of the platform, or it is "
            "not paid any more",
        )
        parser.add_argument("--by", help="user name of the admin who settles or voids pay")

    def handle(self, *args: Any, **options: Any) -> None:
        account = _account(options["person"])
        by = _admin(options["by"]) if options["by"] else None
        if options["pay"] and by is None:
            raise CommandError("Name the admin who settles or voids pay: --by NAME.")
        with refusals_as_errors(), transaction.atomic():
            erasure = services.erase_person(account=account, by=by, pay=options["pay"])
            left = mentions(erasure.person.names)
            transaction.set_rollback(not options["yes"])
        for table, number in erasure.changed.items():
            self.stdout.write(f"{number:>8} {table}")
        for mention in left:
            self.stdout.write(
                "The name or address still stands in "
                f"{mention.rows} rows of {mention.table}, column "
                f"{mention.column}: look there."
            )
        end = "Erased." if options["yes"] else "Nothing was erased: repeat it with --yes."
        self.stdout.write(end)


def _account(name: str) -> User:
    account = User.objects.filter(Q(username=name) | Q(public_id=name)).first()
    if account is None:
        raise CommandError("There is no account with this user name or pseudonym.")
    return account


def _admin(name: str) -> User:
    admin = User.objects.filter(username=name, role=User.Role.ADMIN, is_active=True).first()
    if admin is None:
        raise CommandError("There is no admin with this user name.")
    return admin
