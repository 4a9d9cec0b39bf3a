from typing import Any

from django.core.management.base import CommandParser

from corpora.management.data import DATA_HELP, data_named
from evaluation.core.key_audit import FALSE_SHARE, LEAST_POWER
from evaluation.selectors.comparisons import evaluations_of, find_comparable
from evaluation.selectors.key_audits import AuditedKeys, audited_keys
from winoplatform.db.tables import TablesCommand
from winoplatform.management.runs import refusals_as_errors
from workers.models import User


class Command(TablesCommand):
    help = "List the questions of a set whose key the evaluated systems contradict."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("data", help=DATA_HELP)
        parser.add_argument("--split", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        (kind,) = data_named(options["data"])
        admin = User(role=User.Role.ADMIN, is_superuser=True)
        with refusals_as_errors():
            data, _ = find_comparable(
                admin, kind.replace("_", "-"), options["data"], options["split"]
            )
            audited = audited_keys(list(evaluations_of(admin, data)))
        self._report(data.label, audited)

    def _report(self, label: str, audited: AuditedKeys) -> None:
        audit = audited.audit
        self.stdout.write(
            f"{label} · {len(audited.items):,} questions · {len(audited.runs):,} evaluations, "
            f"worth {audit.weight.sum():.1f} independent ones · share of wrong keys about "
            f"{audit.share:.1%}"
        )
        if not audit.can_tell:
            self.stdout.write(
                f"Cannot tell: these systems would find {audit.power:.0%} of wrong keys, and "
                f"{LEAST_POWER:.0%} are needed. Evaluate more systems of different ability."
            )
            return
        self.stdout.write(
            f"These systems would find {audit.power:.0%} of wrong keys. Suspected keys: "
            f"{len(audited.suspected)}. Of such a list, at most {FALSE_SHARE:.0%} are expected to "
            "be right; people must decide."
        )
        for row in audited.suspected:
            item, hits = audited.items[row], audited.right[:, row]
            n_given = int((hits >= 0).sum())
            self.stdout.write(
                f"{audit.probability[row]:.3f}  {item.id}  chosen by {int((hits == 1).sum())} of "
                f"{n_given}  {item.sentence}  key: {item.options[(item.answer or 1) - 1]}"
            )
