from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.db.models import Q

from collection import services
from collection.selectors.known_people import campaigns_for_a_second
from winoplatform.db.tables import TablesCommand
from winoplatform.management.runs import refusals_as_errors
from winoplatform.personal.mentions import mentions
from workers import services as workers
from workers.models import Proposal, User


class Command(TablesCommand):
    help = (
        "Show what would be erased of a person; with --yes, erase it. Where a campaign asks for a "
        "second person, --yes --by NAME proposes it, and the same by another admin confirms it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", help="user name or pseudonym")
        parser.add_argument("--yes", action="store_true", help="erase, which nobody can undo")
        parser.add_argument(
            "--pay",
            default="",
            choices=[workers.SETTLE, workers.VOID],
            help="what becomes of pay that is owed: it was paid outside of the platform, or it is "
            "not paid any more",
        )
        parser.add_argument(
            "--by", help="user name of the admin who settles or voids pay, proposes or confirms"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        account = _account(options["person"])
        by = _admin(options["by"]) if options["by"] else None
        if options["pay"] and by is None:
            raise CommandError("Name the admin who settles or voids pay: --by NAME.")
        with refusals_as_errors(), transaction.atomic():
            erase = _by_two if options["yes"] else workers.erase_person
            erasure = erase(account=account, by=by, pay=options["pay"])
            left = mentions(erasure.person.names) if erasure else []
            transaction.set_rollback(not options["yes"])
        for table, number in erasure.changed.items() if erasure else ():
            self.stdout.write(f"{number:>8} {table}")
        for mention in left:
            self.stdout.write(
                "The name or address is still in "
                f"{mention.rows} rows of {mention.table}, column "
                f"{mention.column}: look there."
            )
        self.stdout.write(
            _end(erased=erasure is not None and options["yes"], asked=erasure is None)
        )


def _by_two(*, account: User, by: User | None, pay: str) -> workers.Erasure | None:
    """Erase, or confirm what another admin proposed; None if it is proposed now."""
    if by is None and campaigns_for_a_second(account):
        raise CommandError(
            "A campaign of this person asks for a second person. Name who proposes: --by NAME."
        )
    proposal = Proposal.objects.open().filter(account=account).exclude(by=by).first()
    if proposal is not None and by is not None:
        if pay and pay != proposal.pay:
            raise CommandError("Another choice of pay was proposed. Confirm it without --pay.")
        return services.confirm_erasure(proposal=proposal, by=by)
    done = services.erase_person(account=account, by=by, pay=pay)
    return done if isinstance(done, workers.Erasure) else None


def _end(*, erased: bool, asked: bool) -> str:
    if erased:
        return "Erased."
    if asked:
        return "Nothing was erased yet: another admin confirms it, here with --by or on its page."
    return "Nothing was erased: repeat it with --yes."


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
