"""Items with names or special words exchanged."""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from collection.core.triggers import Gender, name_gender
from corpora.core.items import BLANK, Item
from corpora.core.transformations.mentions import ABSENT, contains, replaced, without_articles
from corpora.core.transformations.results import Dropped, Transformed, as_blank, transform_each

# Stands for the special word until the blank is filled: a private-use character.
_GAP = "\ue000"
_CORE = re.compile(r"\w(?:.*\w)?")

NOT_A_PAIR = "its group is not a pair of twins with different answers"
NOT_ONE_WORD = "its twin differs in more than one word"
AT_THE_BLANK = "its twin differs at the blank"


def zero_shot(items: Sequence[Item]) -> Transformed:
    """Replace the blank by the right answer, and the special word by a blank.

    Parameters
    ----------
    items : sequence of Item
        The two items of a group must have different right options and differ in one word.

    Returns
    -------
    Transformed
        Same ids and groups. The options are the two special words: first the word of the twin with
        the smaller answer. Whether a word is one token is for the scorer to check.

    Source: Back to Square One §6.1.

    Examples
    --------
    >>> options, text = ("the trophy", "the suitcase"), "It doesn't fit into it because _ is too "
    >>> twins = [Item(id="a", group="g", sentence=text + "large.", options=options, answer=1),
    ...          Item(id="b", group="g", sentence=text + "small.", options=options, answer=2)]
    >>> [item.sentence.partition("because ")[2] for item in zero_shot(twins).items]
    ['the trophy is too _.', 'the suitcase is too _.']
    >>> [(item.options, item.answer) for item in zero_shot(twins).items]
    [(('large', 'small'), 1), (('large', 'small'), 2)]
    """
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        groups[item.group].append(item)
    by_id: dict[str, Item] = {}
    dropped: Counter[str] = Counter()
    for group in groups.values():
        try:
            by_id |= {item.id: item for item in _asked_for_words(group)}
        except Dropped as reason:
            dropped[str(reason)] += len(group)
    return Transformed([by_id[item.id] for item in items if item.id in by_id], dropped)


def _asked_for_words(group: Sequence[Item]) -> list[Item]:
    if len(group) != 2:
        raise Dropped(NOT_A_PAIR)
    first, second = (as_blank(item) for item in group)
    if _right(first) == _right(second):
        raise Dropped(NOT_A_PAIR)
    pairs = [(first, second), (second, first)]
    (one, gap_one), (two, gap_two) = (_special_word(a.sentence, b.sentence) for a, b in pairs)
    words = (one, two) if (first.answer or 0) < (second.answer or 0) else (two, one)
    return [
        _with_gap(item, gap, words, 1 + words.index(word))
        for item, gap, word in ((first, gap_one, one), (second, gap_two, two))
    ]


def _right(item: Item) -> str:
    if item.answer is None:
        raise Dropped("the right answer is not known")
    return item.options[item.answer - 1]


def _special_word(sentence: str, twin: str) -> tuple[str, str]:
    """Return the word of a sentence that its twin replaces, and the sentence with a gap for it."""
    words, others = sentence.split(), twin.split()
    places = [i for i, pair in enumerate(zip(words, others, strict=False)) if len(set(pair)) > 1]
    if len(words) != len(others) or len(places) != 1:
        raise Dropped(NOT_ONE_WORD)
    changed = words[places[0]]
    core = _CORE.search(changed)
    if core is None or BLANK in changed:
        raise Dropped(AT_THE_BLANK)
    words[places[0]] = changed[: core.start()] + _GAP + changed[core.end() :]
    return core[0], " ".join(words)


def _with_gap(item: Item, gap: str, words: tuple[str, str], answer: int) -> Item:
    if len(set(words)) == 1:
        raise Dropped(NOT_ONE_WORD)
    filled = replace(item, sentence=gap).filled[(item.answer or 0) - 1]
    if BLANK in filled:
        raise Dropped("the right option contains an underscore")
    return replace(item, sentence=filled.replace(_GAP, BLANK), options=words, answer=answer)


# Common names in the United States that are used for one gender and are not words.
_FEMALE = "Linda Susan Karen Nancy Lisa Sandra Ashley Donna Carol Michelle Laura Helen"
_MALE = "James Robert David Thomas Daniel Matthew Anthony Steven Paul Andrew Kevin Brian"
NAMES: Mapping[Gender, tuple[str, ...]] = {
    "female": tuple(_FEMALE.split()),
    "male": tuple(_MALE.split()),
}
NOT_NAMES = "the options are not names of people of the same gender"


def switched(items: Sequence[Item]) -> Transformed:
    """Return every item followed by itself with the two options switched in the sentence.

    Parameters
    ----------
    items : sequence of Item
        An item is used if its metadata has ``switchable`` true, as in published annotations;
        without that entry, if its options are names of people of the same gender: then the switched
        sentence means the same with the roles exchanged.

    Returns
    -------
    Transformed
        An item and its switch are a group, named by the item's id. The switch has the same options,
        the other answer, and the id with ``-switched`` after it.

    Source: Trichelair et al., How Reasonable are Common-Sense Reasoning Tasks (2019), §3; Back to
    Square One §3.2.

    Examples
    --------
    >>> item = Item(id="a", group="g", options=("Ann", "Mary"), answer=2,
    ...     sentence="Ann thanked Mary for the help _ had given.")
    >>> [(one.sentence, one.answer) for one in switched([item]).items]
    [('Ann thanked Mary for the help _ had given.', 2), \
('Mary thanked Ann for the help _ had given.', 1)]
    """
    alone = [replace(item, group=item.id) for item in items]
    return transform_each(alone, _and_its_switch)


def names_swapped(items: Sequence[Item]) -> Transformed:
    """Replace the names that are the options by other names of the same gender.

    Parameters
    ----------
    items : sequence of Item
        Items of a group get the same names. They depend only on the group's name and its
        sentences, so a repeated call gives the same items.

    Returns
    -------
    Transformed
        Same ids, groups and answers.

    Source: as one of the perturbations of Abdou et al., The Sensitivity of Language Models and
    Humans to Winograd Schema Perturbations (2020); Back to Square One §3.2.
    """
    sentences: defaultdict[str, set[str]] = defaultdict(set)
    named: defaultdict[str, set[str]] = defaultdict(set)
    for item in items:
        sentences[item.group].add(item.sentence)
        named[item.group].update(item.options)
    new = {
        group: _other_names(group, sorted(named[group]), " ".join(sorted(sentences[group])))
        for group in named
    }
    return transform_each(items, lambda item: [_renamed(item, new[item.group])])


def _and_its_switch(item: Item) -> list[Item]:
    if len(item.options) != 2:
        raise Dropped("it has more than two options")
    stated = item.metadata.get("switchable")
    if stated is False:
        raise Dropped("its options are marked as not switchable")
    if stated is None:
        _require_names(item.options)
    one, two = without_articles(item.options)
    if not (contains(item.sentence, one) and contains(item.sentence, two)):
        raise Dropped(ABSENT)
    switch = replace(
        item,
        id=f"{item.id}-switched",
        sentence=replaced(item.sentence, {one: two, two: one}),
        answer=None if item.answer is None else 3 - item.answer,
    )
    return [item, switch]


def _require_names(options: Sequence[str]) -> Gender:
    """Return the gender of options that are single first names; `Dropped` if they are not."""
    genders = {name_gender(option) for option in options}
    gender = genders.pop()
    if genders or gender is None or not all(_is_one_name(option) for option in options):
        raise Dropped(NOT_NAMES)
    return gender


def _is_one_name(option: str) -> bool:
    return option.isalpha() and option.istitle()


def _other_names(group: str, old: Sequence[str], text: str) -> dict[str, str] | None:
    """Return a new name for each old one, None if some are not names of the same gender."""
    try:
        gender = _require_names(old)
    except Dropped:
        return None
    free = [name for name in NAMES[gender] if not contains(text, name)]
    by_hash = sorted(free, key=lambda name: hashlib.sha256(f"{group} {name}".encode()).digest())
    return dict(zip(old, by_hash, strict=False)) if len(old) <= len(by_hash) else None


def _renamed(item: Item, names: Mapping[str, str] | None) -> Item:
    if names is None:
        raise Dropped(NOT_NAMES)
    if not all(contains(item.sentence, option) for option in item.options):
        raise Dropped(ABSENT)
    return replace(
        item,
        sentence=replaced(item.sentence, names),
        options=tuple(names[option] for option in item.options),
    )
