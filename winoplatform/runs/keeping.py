"""What curators do with a run as a row: name, star, archive and delete it."""

from django.db import transaction
from django.db.models import Model, ProtectedError

from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import Run

MOST_NAMED = 5


@transaction.atomic
def annotate(
    run: Run,
    *,
    caption: str | None = None,
    is_starred: bool | None = None,
    is_archived: bool | None = None,
) -> None:
    """Name, star or archive a run; what is None stays. Settings and results never change.

    Raises
    ------
    DomainError
        ``run_open`` when a run that has not ended is to be archived.
    ValidationError
        When the caption is too long.
    """
    run.refresh_from_db()
    if is_archived and not run.has_ended:
        raise _open("Cancel it before you archive it.")
    if caption is not None:
        run.caption = " ".join(caption.split())
    if is_starred is not None:
        run.is_starred = is_starred
    if is_archived is not None and is_archived != run.is_archived:
        run.archived_at = clock.now() if is_archived else None
    run.clean_fields(exclude=_others(run))
    run.save(update_fields=["caption", "is_starred", "archived_at"])


def _others(run: Run) -> set[str]:
    return {field.name for field in run._meta.fields} - {"caption"}


@transaction.atomic
def delete_run(run: Run) -> None:
    """Delete a run that has ended and that nothing depends on, with its steps and its output.

    Its files are removed by the upkeep of artifacts, unless another row names them.

    Raises
    ------
    DomainError
        ``run_open``, ``run_is_published``, or ``run_is_used`` with the rows that depend on it.
    """
    if run.is_published:
        raise Conflict(
            "run_is_published",
            f"A {run.noun} is never deleted: others may have cited it. It can be archived.",
        )
    locked = type(run)._default_manager.select_for_update(of=("self",)).get(pk=run.pk)
    if not locked.has_ended:
        raise _open("Cancel it before you delete it.")
    output = locked.output
    try:
        locked.delete()
        if output is not None:
            output.delete()
    except ProtectedError as error:
        raise _used(locked, error) from error


def _open(remedy: str) -> DomainError:
    return Conflict("run_open", f"This run is still in progress. {remedy}")


def _used(run: Run, error: ProtectedError) -> DomainError:
    """Name what depends on a run, so that a curator can look at it."""
    users = sorted({_called(row) for row in error.protected_objects})
    named = ", ".join(users[:MOST_NAMED]) + (" and others" if len(users) > MOST_NAMED else "")
    message = f"This {run.noun} cannot be deleted, because others depend on it: {named}."
    return Conflict("run_is_used", message, details={"used_by": users})


def _called(row: Model) -> str:
    name = getattr(row, "name", "") or getattr(row, "caption", "")
    return f"{row._meta.verbose_name} {name}" if name else str(row)
