"""The state and the counted events of the platform, as families of figures of Prometheus."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from validation.selectors.operation import BrokerState, DatabaseState, OperationState
from winoplatform.metrics.counting import SUM, Counts
from winoplatform.metrics.events import EVENTS, Event


class Figures(Collector):
    """What a look at the platform has found; what could not be asked is left out."""

    def __init__(self, state: OperationState) -> None:
        self.state = state

    def collect(self) -> Iterator[Metric]:
        state = self.state
        yield _gauge(
            "wino_database_up", "Whether the database answers.", {(): state.database_answers}
        )
        yield _gauge("wino_broker_up", "Whether Redis answers.", {(): state.broker is not None})
        if state.database is not None:
            yield from _of_database(state.database)
        if state.broker is not None:
            yield from _of_broker(state.broker)
            yield from (_event_family(event, state.broker.events) for event in EVENTS)


def _of_database(state: DatabaseState) -> Iterator[Metric]:
    kind_and_state = ("kind", "state")
    yield _gauge("wino_runs", "Runs by kind and status.", state.runs, kind_and_state)
    yield _gauge(
        "wino_runs_startable",
        "Waiting runs whose inputs are done.",
        _of_one(state.startable),
        ("kind",),
    )
    yield _gauge(
        "wino_runs_startable_seconds",
        "For how long the run that waits longest for a worker could have started.",
        _of_one(state.wait_seconds),
        ("kind",),
    )
    yield _gauge(
        "wino_work",
        "Runs and paid work that wait, are held under a lease, or whose lease has ended.",
        state.work,
        ("work", "state"),
    )


def _of_broker(state: BrokerState) -> Iterator[Metric]:
    yield _gauge(
        "wino_workers", "Live Celery workers by queue.", _of_one(state.workers_of), ("queue",)
    )
    yield _gauge(
        "wino_broker_messages", "Messages not yet consumed.", _of_one(state.messages), ("queue",)
    )
    if state.dispatched_at is not None:
        said = "When beat last had waiting runs dispatched, in seconds since 1970."
        yield _gauge("wino_dispatch_timestamp_seconds", said, {(): state.dispatched_at})
    if state.ledger is not None:
        said = "When the ledger was last checked, in seconds since 1970."
        yield _gauge("wino_ledger_check_timestamp_seconds", said, {(): state.ledger.checked_at})
        said = "Mismatches that the last check of the ledger named."
        problems = _of_one(state.ledger.problems)
        yield _gauge("wino_ledger_mismatches", said, problems, ("problem",))


def _gauge(name: str, said: str, values: Mapping[Any, float], labels: Iterable[str] = ()) -> Metric:
    family = GaugeMetricFamily(name, said, labels=[*labels])
    for label_values, value in values.items():
        family.add_metric(label_values, value)
    return family


def _of_one(values: Mapping[str, float]) -> dict[tuple[str], float]:
    return {(label,): value for label, value in values.items()}


def _event_family(event: Event, counts: Counts) -> Metric:
    own = {(part, value): n for (name, part, value), n in counts.items() if name == event.name}
    labels = [event.label] if event.label else []
    values = sorted({*event.known, *(value for _, value in own)}) if labels else [""]
    if not event.buckets:
        counter = CounterMetricFamily(event.name, event.help, labels=labels)
        for value in values:
            counter.add_metric([value][: len(labels)], own.get(("", value), 0))
        return counter
    histogram = HistogramMetricFamily(event.name, event.help, labels=labels)
    bounds = [*map(floatToGoString, event.buckets), "+Inf"]
    for value in values:
        buckets = accumulate(own.get((place, value), 0) for place in range(len(bounds)))
        total = own.get((SUM, value), 0)
        histogram.add_metric([value], [*zip(bounds, buckets, strict=True)], total)
    return histogram
