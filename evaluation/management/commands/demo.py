from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count, Sum

from corpora import exports
from corpora.models import Release
from evaluation.models import Evaluation
from evaluation.starter import begin
from filtering import selectors
from filtering.models import FilterRun
from validation import starter
from validation.models import Verdict, Vote
from winoplatform.db import tables
from winoplatform.management.runs import execute
from winoplatform.runs.models import Run
from winoplatform.runs.pace import at_most_every
from workers.models import LedgerEntry


class Command(BaseCommand):
    help = "Run the starter campaign from articles to an evaluated release, without a server."

    def handle(self, *args: Any, **options: Any) -> None:
        tables.migrate()
        tell = at_most_every(3, lambda done, total, text: self.stdout.write(text))
        campaign = starter.load(progress=tell)
        if campaign is None:
            raise CommandError(
                "The database has other campaigns; the demo needs an empty database."
            )
        self._line("twins", {"written": campaign.twins.count()})
        self._report_collection()
        name = f"starter-{Release.objects.count() + 1}"
        clean, pipeline = begin(campaign, release_name=name)
        if clean is not None:
            self._execute_all(
                clean.encoding.snapshot, clean.encoding, clean, clean.assessments.get()
            )
            self._report_filter(clean)
        self._execute_all(*pipeline.runs, pipeline.filter_run.assessments.get())
        self._report_filter(pipeline.filter_run)
        self._report_evidence(pipeline.filter_run)
        self._report_release(pipeline.release)
        self._report_knowledge(pipeline.release)
        for evaluation in pipeline.evaluations:
            self._report_evaluation(evaluation)
        self._line("funnel", selectors.funnel(campaign).as_dict())

    def _line(self, name: str, facts: dict[str, Any]) -> None:
        text = ", ".join(f"{key} {value}" for key, value in facts.items())
        self.stdout.write(f"{name:<12} {text}")

    def _execute_all(self, *runs: Run) -> None:
        for run in runs:
            self._execute(run)

    def _execute(self, run: Run) -> None:
        execute(run)
        self._line(str(run._meta.verbose_name), {"done in": f"{run.run_seconds:.1f} s"})

    def _report_collection(self) -> None:
        verdicts = Verdict.objects.all()
        reasons: dict[str, int] = {}
        for codes in verdicts.values_list("reasons", flat=True):
            for reason in codes:
                reasons[reason] = reasons.get(reason, 0) + 1
        self._line("votes", {"given": Vote.objects.count(), "verdicts": verdicts.count()})
        self._line("verdicts", {"valid": verdicts.valid().count(), **reasons})
        pay = LedgerEntry.objects.values("kind", "currency").annotate(
            n=Count("pk"), sum=Sum("amount")
        )
        for row in pay.order_by("kind"):
            self._line("pay", {row["kind"]: f"{row['n']} × = {row['sum']} {row['currency']}"})

    def _report_filter(self, run: FilterRun) -> None:
        settings_of = {name: getattr(run, name) for name in ("stop", "n", "m", "k")}
        self._line("filter run", {"": run.caption})
        self._line("AFLite", settings_of)
        for phase in run.steps.all():
            self._line(
                f"  phase {phase.number}",
                {
                    "of": phase.n_before,
                    "removed": phase.n_removed,
                    "held-out accuracy": f"{phase.accuracy or 0:.3f}",
                    "fresh models": self._ends(phase.looks),
                    "seconds": f"{phase.seconds:.2f}",
                },
            )
        self._line("AFLite", {"kept": run.n_kept, "stopped by": run.stop_reason})
        if (fresh := run.fresh_models) is not None:
            for which in ("all", "kept"):
                self._line("fresh models", {which: self._compared(fresh[which]["grouped"])})
        for leak in run.leaks:
            self._line("warning", {"": leak.sentence})

    def _compared(self, leak_test: dict[str, Any]) -> str:
        """Return an accuracy and its side of one half, with what would have been found."""
        leak = leak_test["leak"]
        if leak["direction"] is None:
            return "too few questions to compare with one half"
        text = f"{self._interval(leak_test['accuracy'])}, side of one half: {leak['direction']}"
        return f"{text}; {leak['detectable']:.3f} would have been found with 80 %"

    def _ends(self, looks: list[tuple[int, float, float]]) -> str:
        """Return the accuracy of fresh models at the first and the last measurement."""
        accuracies = [f"{accuracy:.3f}" for _, accuracy, _ in looks]
        return " to ".join(accuracies[:1] + accuracies[1:][-1:]) or "–"

    def _report_evidence(self, run: FilterRun) -> None:
        for part in run.assessments.get().steps.filter(name__in=("linear", "nonlinear")):
            for which in ("all", "kept"):
                accuracy = part.figures[which]["grouped"]["accuracy"]
                self._line(part.name, {f"held-out accuracy, {which}": self._interval(accuracy)})

    def _report_release(self, release: Release) -> None:
        folder = Path(settings.VAR_DIR) / "releases" / release.name
        exports.write_release(release=release, target=folder)
        splits = {
            f.name: f.rows
            for f in release.files.filter(name__regex=r"^(train|dev|test)\w*\.jsonl$")
        }
        self._line("release", splits)
        self._line("release", {"written to": folder})

    def _report_knowledge(self, release: Release) -> None:
        for knowledge_set in release.knowledge_sets.all():
            sweep = knowledge_set.sweeps.get()
            self._execute(sweep)
            counted = {"formalised": len(sweep.formalisations), "verified": sweep.n_verified}
            self._line("knowledge", counted | {"sentences": knowledge_set.sentences.count()})

    def _report_evaluation(self, evaluation: Evaluation) -> None:
        for metric, figure in (evaluation.metrics or {}).items():
            if figure["value"] is None:
                self._line(evaluation.method, {metric: "undefined (no complete pair)"})
            else:
                self._line(evaluation.method, {metric: self._interval(figure)})

    def _interval(self, figure: dict[str, Any]) -> str:
        if figure["value"] is None:
            return "undefined"
        if figure["low"] is None:
            return f"{figure['value']:.3f}"
        return f"{figure['value']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}] n={figure['n']}"
