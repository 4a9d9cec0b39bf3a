"""A curator's own labels for people."""

from workers.models import PersonLabel, User


def label_person(*, worker: User, text: str, by: User) -> None:
    """Store a curator's own label for a person, in place of the last one; an empty text deletes it.

    Raises
    ------
    ValidationError
        If it is too long.
    """
    label = PersonLabel(worker=worker, by=by, text=text.strip())
    if not label.text:
        PersonLabel.objects.filter(worker=worker, by=by).delete()
        return
    label.full_clean(validate_constraints=False)
    PersonLabel.objects.bulk_create(
        [label], update_conflicts=True, unique_fields=["by", "worker"], update_fields=["text"]
    )
