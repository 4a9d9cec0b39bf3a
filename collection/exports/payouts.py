"""A payout as files: a table for curators, and the bonus file of its platform.

The same payout gives the same bytes at any time: its lines never change, and the session of a bonus
is the one known when the payout was created. Only the names by which its reader knows people
change.

Source: docs.prolific.com, "Set up bonuses"; AWS Mechanical Turk API Reference (2017-01-17),
"SendBonus".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import StreamingHttpResponse

from collection.models import Campaign, Participant, Study
from collection.selectors.known_people import names_for
from collection.selectors.pay import participants_paid, studies_of
from tabular.writing import csv_lines
from winoplatform.errors import existing
from winoplatform.exporting.spreadsheets import saved_as
from workers.models import Payout, PayoutLine, User
from workers.services import refuse_without_second_approval

Provider = Payout.Provider
COLUMNS = (
    "worker", "amount", "currency", "entries", "platform", "participant", "username", "own_label",
)  # fmt: skip
BONUS_COLUMNS = ("WorkerId", "AssignmentId", "BonusAmount", "Reason", "UniqueRequestToken")


@dataclass(frozen=True, slots=True)
class PayoutFile:
    """One file of a payout; ``study`` is the one in which Prolific pays its bonuses."""

    name: str
    content_type: str
    study: Study | None = None


def files_of(payout: Payout) -> list[PayoutFile]:
    """Return the files of a payout: the table of its lines, and those of its platform."""
    files = [PayoutFile(f"payout-{payout.public_id}.csv", "text/csv; charset=utf-8")]
    if payout.provider == Provider.MTURK:
        name = f"payout-{payout.public_id}-mturk.csv"
        files.append(PayoutFile(name, "text/csv; charset=utf-8"))
    if payout.provider == Provider.PROLIFIC:
        for study in studies_of(payout):
            name = f"payout-{payout.public_id}-prolific-{study.public_id}.txt"
            files.append(PayoutFile(name, "text/plain; charset=utf-8", study))
    return files


def file_named(payout: Payout, name: str, reader: User) -> tuple[PayoutFile, Iterator[str]]:
    """Return one of the payout's files, with its lines.

    Raises
    ------
    DomainError
        ``not_found`` if the payout has no file of that name; ``second_approval_missing``.
    """
    refuse_without_second_approval(payout)
    file = existing(next((file for file in files_of(payout) if file.name == name), None), "file")
    if file.study is not None:
        return file, prolific_lines(payout, file.study)
    if name.endswith("-mturk.csv"):
        return file, mturk_lines(payout)
    return file, table_lines(payout, reader)


def payout_response(payout: Payout, name: str, reader: User) -> StreamingHttpResponse:
    """Stream one of the payout's files."""
    file, lines = file_named(payout, name, reader)
    return saved_as(file.name, lines, content_type=file.content_type)


def table_lines(payout: Payout, reader: User) -> Iterator[str]:
    """Yield the amounts by pseudonym, with what tells *reader* whom to pay.

    That is the platform's id; for an account from no platform, the user name where the reader may
    see it; and the reader's own label.
    """
    lines = list(participants_paid(payout))
    workers = [line.worker_id for line in lines]
    people = {who.worker_id: who for who in Participant.objects.filter(worker__in=workers)}
    names = names_for(reader)

    def row(line: PayoutLine) -> Sequence[Any]:
        who, worker = people.get(line.worker_id), line.worker.public_id
        platform = (who.provider, who.external_id) if who else ("", "")
        known = names.user_names.get(worker, ""), names.labels.get(worker, "")
        return (worker, line.amount, payout.currency, line.n_entries, *platform, *known)

    return csv_lines(COLUMNS, map(row, lines))


def prolific_lines(payout: Payout, study: Study) -> Iterator[str]:
    """Yield lines for Prolific's *bulk bonus payment*: an id, a comma and the amount."""
    for line in participants_paid(payout, study).select_related("worker__participant"):
        yield f"{line.worker.participant.external_id},{line.amount}\n"


def mturk_lines(payout: Payout) -> Iterator[str]:
    """Yield a row for each call of ``SendBonus``; its token lets a call be repeated safely."""
    campaign = Campaign.objects.get(public_id=payout.budget)
    lines = participants_paid(payout).select_related("worker__participant")
    reason = f"Your work in “{campaign.name}” beyond the HIT that this assignment was for."
    return csv_lines(
        BONUS_COLUMNS,
        (
            (
                line.worker.participant.external_id,
                line.session,
                line.amount,
                reason,
                f"{payout.public_id}-{line.worker.public_id}",
            )
            for line in lines
        ),
    )
