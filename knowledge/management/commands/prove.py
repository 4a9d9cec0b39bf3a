from typing import Any

from django.core.management.base import CommandError, CommandParser

from knowledge import services
from knowledge.core.reporting import from_dict, obligations, warnings
from knowledge.models import KnowledgeSet, SweepStep
from winoplatform.management.runs import execute, refusals_as_errors
from winoplatform.tables import TablesCommand


class Command(TablesCommand):
    help = "Prove every formalised question of a knowledge set again, in this process's prover."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("set", help="name of a knowledge set")

    def handle(self, *args: Any, **options: Any) -> None:
        knowledge_set = KnowledgeSet.objects.filter(name=options["set"]).first()
        if knowledge_set is None:
            raise CommandError(f"There is no knowledge set “{options['set']}”.")
        with refusals_as_errors():
            sweep = services.start_sweep(knowledge_set=knowledge_set, by=None)
        execute(sweep)
        for step in sweep.steps.select_related("formalisation"):
            self._report(step)
        self.stdout.write(
            f"{sweep.n_verified} of {sweep.done} verified, {sweep.n_undecided} not decided; "
            f"{sweep.prover}; {sweep.run_seconds:.1f} s, sweep {sweep.public_id}"
        )

    def _report(self, step: SweepStep) -> None:
        found = from_dict(step.report)
        how = "verified" if step.verified else "not verified"
        ways = f" ({', '.join(found.ways)})" if found.ways else ""
        self.stdout.write(f"{step.formalisation}: {how}{ways}")
        for one in obligations(found):
            if not one.met:
                self.stdout.write(f"  {one.sentence}")
        for said in warnings(found):
            self.stdout.write(f"  {said}")
