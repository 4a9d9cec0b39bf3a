from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandError, CommandParser

from corpora.core.items import Item
from corpora.core.metrics import accuracy, group_score
from corpora.management.data import DATA_HELP, data_named
from corpora.selectors import labelled, load_items
from evaluation import services
from evaluation.core import predictions
from evaluation.core.below_chance import below_chance
from evaluation.core.predictions import (
    FORMAT_OF,
    REASONS,
    UNPARSED_RULE,
    Flags,
    Predictions,
    Report,
    format_of,
)
from evaluation.models import Evaluation
from evaluation.services.evaluations import refuse_unscorable
from tabular import open_stream
from winoplatform.db.tables import TablesCommand
from winoplatform.figures import in_words
from winoplatform.management.runs import execute, refusals_as_errors
from winoplatform.runs.models import RunStatus


class Command(TablesCommand):
    help = "Score predictions made elsewhere on a split of a set, or on a snapshot."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("data", help=DATA_HELP)
        parser.add_argument("file", type=Path, help="file of predictions")
        parser.add_argument("--split", default="dev", help="all for a snapshot")
        formats = "; ".join(f"{name}: {what}" for name, what in predictions.FORMATS.items())
        parser.add_argument(
            "--format",
            choices=sorted(predictions.FORMATS),
            help=f"default: by the file's ending ({', '.join(FORMAT_OF)}); {formats}",
        )
        parser.add_argument("--id-column", help="of a CSV file")
        parser.add_argument("--prediction-column", help="of a CSV file")
        parser.add_argument(
            "--store", metavar="SYSTEM", help="store them as an evaluation of the system named so"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        items = _items(options["data"], options["split"])
        answered = [item for item in items if item.answer is not None]
        if not answered:
            raise CommandError(f"No item of {options['data']}/{options['split']} has an answer.")
        reads = _read_predictions(items, options)
        self.stdout.write(
            f"{options['data']}/{options['split']}: {len(items):,} items, {len(answered):,} with "
            "an answer"
        )
        for name, read in reads.items():
            if name:
                self.stdout.write(f"\n{name}")
            for line in (*_figures(read, answered), *_reported(read.report)):
                self.stdout.write(line)
            if options["store"]:
                self._store(options, size=name)

    def _store(self, options: Mapping[str, Any], *, size: str) -> None:
        """Store a file's predictions, of one training size if it has several, as an evaluation."""
        name = f"{options['store']} ({size})" if size else options["store"]
        with refusals_as_errors(), options["file"].open("rb") as file:
            run = services.store_predictions(
                file=file,
                format=_format(options),
                system_name=name,
                by=None,
                **data_named(options["data"]),
                split=options["split"],
                id_column=options["id_column"] or "",
                prediction_column=options["prediction_column"] or "",
                size=size,
            )
        execute(run)
        self.stdout.write(f"Stored as evaluation {run.public_id} of “{run.system_name}”.")


def _items(name: str, split: str) -> list[Item]:
    """Return the items of a split; those of a reference set may lack answers."""
    data = Evaluation(**data_named(name), split=split)
    if data.reference_set is not None:
        row = data.reference_set.splits.filter(name=split).first()
        if row is None:
            names = ", ".join(data.reference_set.splits.values_list("name", flat=True))
            raise CommandError(f"{name} has no split “{split}”; its splits: {names}.")
        return load_items(row)
    with refusals_as_errors():
        refuse_unscorable(data)
    if data.input_run is None or data.input_run.status != RunStatus.DONE:
        raise CommandError(f"The {data.input_run} is not done yet.")
    return labelled(data).items


def _read_predictions(items: Sequence[Item], options: Mapping[str, Any]) -> dict[str, Predictions]:
    """Return what the file predicts: by training size for WinoGrande's list, else under ``""``."""
    path, format = options["file"], _format(options)
    columns = {name: options[name] for name in ("id_column", "prediction_column") if options[name]}
    if columns and format != "csv":
        raise CommandError("Columns can be named for the format csv only.")
    try:
        with open_stream(path) as file:
            if format == "winogrande":
                return predictions.read_winogrande_columns(file, items)
            return {"": predictions.read_predictions(file, items, format=format, **columns)}
    except (OSError, ValueError) as error:
        raise CommandError(f"{path.name}: {error}") from error


def _format(options: Mapping[str, Any]) -> str:
    path: Path = options["file"]
    format: str = options["format"] or format_of(path.name)
    if not format:
        raise CommandError(f"Name the --format of {path.name}: {', '.join(predictions.FORMATS)}.")
    return format


def _figures(read: Predictions, items: Sequence[Item]) -> list[str]:
    correct = predictions.is_correct(read, items)
    understood = predictions.is_understood(read, items)
    groups = [item.group for item in items]
    lines = [
        f"Accuracy      {in_words(accuracy(correct, groups), counted='items')}",
        f"Group score   {in_words(group_score(correct, groups), counted='groups')}",
    ]
    if not understood.all():
        kept_groups = [group for group, is_kept in zip(groups, understood, strict=True) if is_kept]
        over = accuracy(correct[understood], kept_groups)
        lines += [
            UNPARSED_RULE,
            f"Accuracy over the understood items: {in_words(over, counted='items')}",
        ]
    return lines + _warning(correct, understood, items)


def _warning(correct: Flags, understood: Flags, items: Sequence[Item]) -> list[str]:
    items_understood = [item for item, is_kept in zip(items, understood, strict=True) if is_kept]
    warning = below_chance(
        correct[understood],
        np.array([item.answer for item in items_understood], dtype=np.int64),
        [len(item.options) for item in items_understood],
        [item.group for item in items_understood],
    )
    return [f"Warning: {warning.sentence}"] if warning else []


def _reported(report: Report) -> list[str]:
    lines = [f"Answers: {report.n_rows:,}; understood: {report.n_understood:,} {_counts(report)}"]
    for reason, count in sorted(report.reasons.items(), key=lambda pair: -pair[1]):
        lines.append(f"Not understood: {count:,} × {reason}. {REASONS[reason]}")
        lines += [f"    {id}: {text!r}" for id, text in report.examples[reason]]
    if report.n_missing:
        lines.append(f"Items without an answer: {report.n_missing:,} ({_first(report.missing)})")
    if report.n_unknown:
        lines.append(f"Answers to unknown items: {report.n_unknown:,} ({_first(report.unknown)})")
    if report.summary:
        cells = ", ".join(f"{column}: {cell}" for column, cell in report.summary.items())
        lines.append(f"The last row has no id and was read as a summary: {cells}")
    return lines


def _counts(report: Report) -> str:
    counts = ", ".join(f"{rule} {count:,}" for rule, count in report.rules.items())
    return f"({counts})" if counts else ""


def _first(ids: Sequence[str]) -> str:
    return ", ".join([*ids, "…"])
