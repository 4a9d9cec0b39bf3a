"""One item of pytest for all cases of a quick test that has no rows and no fixtures of its own.

An item costs more than most such cases do: each process collects it, its fixtures begin and end,
and its report travels. So the item tries every case in turn, and fails with each that does, by
name. Marks of single cases, `pytest.mark.apart` and the option ``--apart`` keep an item for each.
"""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import wraps
from itertools import product
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet, get_unpacked_marks

Case = dict[str, Any]
SEPARATE = {"apart", "django_db", "hypothesis", "long", "xfail"}  # marks


def one_item(collector: Any, name: str, function: Callable[..., None]) -> pytest.Function | None:
    """Return an item that tries all cases of a test, or None if each stays an item."""
    marks = [*get_unpacked_marks(function)]
    cases = [*_cases([mark for mark in marks if mark.name == "parametrize"])]
    if len(cases) < 2 or _is_separate([*collector.iter_markers(), *marks]):
        return None
    signature = inspect.signature(function)
    rest = [argument for key, argument in signature.parameters.items() if key not in cases[0]]

    @wraps(function)
    def test(**fixtures: Any) -> None:
        try_all(lambda case: function(**fixtures, **case), cases)

    test.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
    test.pytestmark = [m for m in marks if m.name != "parametrize"]  # type: ignore[attr-defined]
    item = pytest.Function.from_parent(collector, name=name, callobj=test)
    return item if _shares_its_fixtures(item, {argument.name for argument in rest}) else None


def _is_separate(marks: Iterable[pytest.Mark]) -> bool:
    return any(mark.name in SEPARATE for mark in marks)


def _cases(marks: list[pytest.Mark]) -> Iterator[Case]:
    """Yield the arguments of each case; none if an item of its own is asked for any."""
    columns = [_of_mark(mark) for mark in reversed(marks)]
    if columns and all(columns):
        for parts in product(*columns):
            yield {name: value for part in parts for name, value in part.items()}


def _of_mark(mark: pytest.Mark) -> list[Case]:
    names, values = mark.args if len(mark.args) == 2 else ("", None)
    if not isinstance(values, Collection) or set(mark.kwargs) - {"ids"}:
        return []
    found, is_single = ParameterSet._parse_parametrize_args(names, values)
    sets = [ParameterSet.extract_from(value, force_tuple=is_single) for value in values]
    if any(one.marks for one in sets):
        return []
    return [dict(zip(found, one.values, strict=True)) for one in sets]


def _shares_its_fixtures(item: pytest.Function, asked: set[str]) -> bool:
    """Whether what the cases have in common is made for several tests, and only once."""
    known = {name: ways[-1] for name, ways in item._fixtureinfo.name2fixturedefs.items()}
    if not asked <= known.keys() or any(fixture.params for fixture in known.values()):
        return False
    return all(
        known[name].scope != "function"
        or (name not in asked and known[name].baseid in {"", "tests"})
        for name in known.keys() & {*item._fixtureinfo.initialnames}
    )


def try_all(test: Callable[[Case], None], cases: list[Case]) -> None:
    """Raise what a case raised, or a group of all that several did."""
    failures: list[Exception] = []
    skips: list[BaseException] = []
    for case in cases:
        try:
            test(case)
        except pytest.skip.Exception as reason:
            skips.append(reason)
        except (Exception, pytest.fail.Exception) as error:
            failure = error if isinstance(error, Exception) else AssertionError(str(error))
            failure.add_note(f"in the case {case}")
            failures.append(failure)
    if len(failures) > 1:
        raise ExceptionGroup(f"{len(failures)} of {len(cases)} cases failed", failures)
    if failures:
        raise failures[0]
    if len(skips) == len(cases):
        raise skips[0]
    if skips:  # that the others passed would hide it
        pytest.skip(f"{len(skips)} of {len(cases)} cases: {skips[0]}")
