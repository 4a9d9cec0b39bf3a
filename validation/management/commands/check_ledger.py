"""Check that the ledger is reconciled, to the cent."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from collection.models import Campaign
from validation.selectors.reconciliation import LedgerCheck, check_ledger
from winoplatform.db.tables import TablesCommand


class Command(TablesCommand):
    help = (
        "Check that every twin, vote and exercise has exactly one entry in the ledger, and every "
        "entry and payout its work. The exit status is 1 if the ledger is not reconciled."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", help="Slug of a campaign; all campaigns by default.")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = None
        if options["campaign"]:
            campaign = Campaign.objects.filter(slug=options["campaign"]).first()
            if campaign is None:
                raise CommandError(f"There is no campaign “{options['campaign']}”.")
        check = check_ledger(campaign)
        self._say(check)
        if not check.reconciled:
            raise CommandError("The ledger is not reconciled.")
        self.stdout.write("The ledger is reconciled.")

    def _say(self, check: LedgerCheck) -> None:
        counts = ", ".join(f"{kind} {n}" for kind, n in sorted(check.counts.items()))
        self.stdout.write(f"{check.entries} entries checked ({counts or 'none'}).")
        for problem in check.problems:
            self.stdout.write(f"{problem.code}: {problem.count}. {problem.sentence}")
            for row in problem.examples:
                self.stdout.write(
                    f"  campaign {row.campaign} · {row.worker} · {row.kind} {row.unit} · "
                    f"expected {row.expected} · found {row.found}"
                )
