from typing import Any

from django.core.management.base import CommandError, CommandParser

from corpora.core.clues import Family
from corpora.management.data import DATA_HELP, data_named
from evaluation import services
from evaluation.core.artifacts import Detected, Measure, results
from evaluation.models import ArtifactDetection
from filtering.models import Encoding
from winoplatform.management.runs import execute, refusals_as_errors
from winoplatform.tables import TablesCommand

ROW = "{:<16} {:>6} {:<30} {:>7} {:>8} {:>10}"
CLUES = "{:<16} {:>6} {:>6} {:>13} {:>8} {:>10} {}"
CLUES_HEAD = (
    "kind of clues",
    "n",
    "tests",
    "right",
    "p corr.",
    "detectable",
    "farthest from chance",
)
HEAD = ("detector", "n", "accuracy", "chance", "p corr.", "detectable")


class Command(TablesCommand):
    help = "Look for artifacts in a set in this process, without a server, and print the figures."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("data", help=DATA_HELP)
        parser.add_argument(
            "--split", default="", help="the usual one if omitted; train and dev of a release"
        )
        parser.add_argument("--encoding", default="", help="id of an encoding of the questions")
        parser.add_argument(
            "--scorer",
            action="append",
            default=[],
            metavar="METHOD[/VARIANT][=MODEL]",
            help="whose scores are detectors as well, such as causal/full=SPEC; may be repeated",
        )
        parser.add_argument(
            "--confirm-remote",
            action="store_true",
            help="send blind questions to the server of the method “remote”",
        )
        parser.add_argument("--seed", type=int, default=0)

    def handle(self, *args: Any, **options: Any) -> None:
        asked = {name: options[name] for name in ("split", "seed", "confirm_remote")}
        asked["scorers"] = [_scorer(text) for text in options["scorer"]]
        with refusals_as_errors():
            encoding = _encoding(options["encoding"])
            run = services.detect(
                by=None, encoding=encoding, **data_named(options["data"]), **asked
            )
        execute(run)
        self._report(run, options["data"])

    def _report(self, run: ArtifactDetection, data: str) -> None:
        assert run.result is not None
        found = results(run.result)
        counts = "{n_examined:,} of {n_items:,} items".format(**run.result)
        self.stdout.write(f"{data} {run.split} · {counts} · seed {run.seed}")
        self.stdout.write(found.verdict)
        self.stdout.write(ROW.format(*HEAD))
        scorer = ""
        for one in found.detected:
            if one.scorer != scorer:
                scorer = one.scorer
                self.stdout.write(scorer)
            for line in _rows(one):
                self.stdout.write(line.rstrip())
        self.stdout.write(CLUES.format(*CLUES_HEAD))
        for kind in found.clues:
            if kind.n_tests:
                self.stdout.write(_clues(kind).rstrip())
        for name, reason in found.not_run.items():
            self.stdout.write(f"{name:<16} not run: {reason}")
        self.stdout.write(f"{run.run_seconds:.1f} s, artifact detection {run.public_id}")


def _scorer(text: str) -> dict[str, str]:
    name, _, model = text.partition("=")
    method, _, variant = name.partition("/")
    return {"method": method, "variant": variant, "model": model}


def _encoding(id: str) -> Encoding | None:
    found = Encoding.objects.filter(public_id=id).first() if id else None
    if id and found is None:
        raise CommandError(f"There is no encoding “{id}”.")
    return found


def _rows(one: Detected) -> list[str]:
    rows = [_row(one.name, one.single, "leak" if one.single.leaks else "")]
    if one.group is not None:
        rows.append(_row("  groups", one.group, "leak" if one.group.leaks else ""))
    return rows


def _clues(kind: Family) -> str:
    first = (*kind.found, *kind.nearest)[0]
    share = kind.detectable[0]
    return CLUES.format(
        kind.name,
        f"{kind.n:,}",
        f"{kind.n_tests:,}",
        f"{first.right:,} / {first.throws:,}",
        f"{first.p_corrected:.2g}",
        "–" if share is None else f"{100 * share:.1f}",
        f"{first.clue}{' clue' if kind.found else ''}",
    )


def _row(name: str, measure: Measure, said: str) -> str:
    found = measure.estimate
    ends = "" if found.low is None else f"  {found.low:.1%} – {found.high:.1%}"
    points = "–" if measure.detectable is None else f"{100 * measure.detectable:.1f}"
    p = f"{measure.p_corrected:.3f}"
    row = ROW.format(
        name, f"{found.n:,}", f"{found.value:.1%}{ends}", f"{measure.chance:.1%}", p, points
    )
    return f"{row} {said}"
