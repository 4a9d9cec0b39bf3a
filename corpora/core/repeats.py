"""Items that repeat another one."""

from collections.abc import Iterable, Mapping

from collection.core.repeats import RepeatTable
from corpora.core.bundle.facts import RepeatFacts
from corpora.core.items import Item


def table_of(items: Iterable[Item]) -> RepeatTable:
    """Return the keys of items: what each asks, in any order of its options.

    Examples
    --------
    >>> text = "The cup hit the jar, so _ broke."
    >>> one = Item(id="a", group="a", sentence=text, options=("cup", "jar"), answer=1)
    >>> two = Item(id="b", group="b", sentence=text, options=("jar", "cup"), answer=1)
    >>> table_of([one, two]).count()
    Repeats(questions=2, repeated=2, same_answer=0, other_answer=2)
    """
    table = RepeatTable()
    for item in items:
        add_item(table, item)
    return table


def add_item(table: RepeatTable, item: Item) -> None:
    """Add an item to a table."""
    table.add(*_texts(item), options=item.options, answer=item.answer, group=item.group)


def _texts(item: Item) -> list[str]:
    """What an item asks, besides its options: the pronoun is marked, its candidate follows."""
    sentence = item.sentence
    if item.span is not None:
        start, end = item.span
        sentence = f"{sentence[:start]}[{sentence[start:end]}]{sentence[end:]}"
    return [sentence, *(text for text in (item.candidate, item.relation) if text is not None)]


def release_repeats(splits: Mapping[str, Iterable[Mapping[str, str]]]) -> RepeatFacts:
    """Count the repeats in the public files of a release.

    Parameters
    ----------
    splits : mapping of str to iterable of mapping
        The rows of the full training set, dev and test, with `sentence`, `option1`, `option2` and,
        unless it is secret, `answer`.

    Examples
    --------
    >>> row = {"sentence": "The cup hit the jar, so _ broke.", "option1": "cup", "option2": "jar"}
    >>> release_repeats({"train_xl": [row | {"answer": "1"}], "test": [row]})
    RepeatFacts(questions=2, repeated=2, across_splits=2, same_answer=0, other_answer=0)
    """
    table = RepeatTable()
    for name, rows in splits.items():
        for row in rows:
            answer = int(row["answer"]) if row.get("answer") else None
            options = (row["option1"], row["option2"])
            table.add(row["sentence"], options=options, answer=answer, group=name)
    counts = table.count()
    return RepeatFacts(
        questions=counts.questions,
        repeated=counts.repeated,
        across_splits=table.across_groups(),
        same_answer=counts.same_answer,
        other_answer=counts.other_answer,
    )
