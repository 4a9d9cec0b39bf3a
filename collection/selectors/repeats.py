"""The questions of a campaign that repeat another one."""

from collection.core.repeats import Repeats, RepeatTable
from collection.models import Campaign, Question

BATCH = 500
READ = ("sentence", "twin__option1", "twin__option2", "answer")


def repeats_in(campaign: Campaign) -> Repeats:
    """Count the repeats among all questions of a campaign that are not withdrawn."""
    table = RepeatTable()
    rows = Question.objects.in_campaign(campaign).order_by().values_list(*READ)
    for sentence, option1, option2, answer in rows.iterator(chunk_size=BATCH):
        table.add(sentence, options=(option1, option2), answer=answer)
    return table.count()
