"""What is planted in sets of twins: kinds of clues, of which some are in no list of detectors.

The list was written before the detectors. A clue is planted in a share of the pairs; in the others
it stands with equal probability on either side, so that its mere presence tells nothing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from random import Random

from benchmarks.clue_texts import Pair, Row, pair, words

# Of a sentence: with the mark, and without it.
Marks = Callable[[str, Random], tuple[str, str]]
# A question whose text tells its right option; the options are those it would have told and not.
Tells = Callable[[Row, str, str, Random], Row]

COLOURS = words("""
red green blue yellow purple orange brown black white pink grey golden
""")
OTHERS = words("""
front side garden cellar kitchen stable hotel church market garage attic library
""")
NUMBERS = words("""
two three four five six seven eight nine ten eleven twelve twenty
""")
AMOUNTS = (
    "many",
    "several",
    "some",
    "various",
    "numerous",
    "other",
    "more",
    "countless",
    "certain",
    "certain other",
    "similar",
    "further",
)
DAYS = words("""
Monday Tuesday Wednesday Thursday Friday Saturday Sunday January April June August October
""")
PLACES = words("""
Berlin Lisbon Oslo Prague Vienna Madrid Athens Dublin Warsaw Helsinki Budapest Zagreb
""")
SPELLINGS = (
    ("colour", "color"),
    ("favour", "favor"),
    ("honour", "honor"),
    ("centre", "center"),
    ("theatre", "theater"),
    ("metre", "meter"),
    ("jewellery", "jewelry"),
    ("programme", "program"),
    ("catalogue", "catalog"),
    ("neighbour", "neighbor"),
    ("harbour", "harbor"),
    ("rumour", "rumor"),
)
MANNERS = (
    ("carefully", "with care"),
    ("silently", "in silence"),
    ("gladly", "with pleasure"),
    ("hastily", "in a hurry"),
    ("proudly", "with pride"),
    ("patiently", "with patience"),
    ("rapidly", "at speed"),
    ("bravely", "with courage"),
    ("angrily", "in anger"),
    ("secretly", "in secret"),
    ("calmly", "in peace"),
    ("wisely", "with sense"),
)
TENSES = (
    ("walks", "walked"),
    ("opens", "opened"),
    ("paints", "painted"),
    ("cooks", "cooked"),
    ("repairs", "repaired"),
    ("cleans", "cleaned"),
    ("carries", "carried"),
    ("watches", "watched"),
    ("moves", "moved"),
    ("plays", "played"),
    ("closes", "closed"),
    ("pulls", "pulled"),
)
NOUNS = words("""
tree car boat chair book flower stone bird gate wall bell road
""")
GOOD = words("""
lovely joyful splendid cheerful pleasant wonderful delightful superb charming excellent
happy kind
""")
BAD = words("""
awful horrible dreadful gloomy nasty terrible hateful dismal cruel miserable sad mean
""")
VOWELS = words("""
audio ocean aerie opera idea oasis iguana area aloe igloo aurora cookie
""")
CONSONANTS = words("""
crypt lymph myths glyph hymn rhythm spryly gyms tryst pygmy crypts nymphs
""")
LIPOGRAMS = (
    ("over there", "in that spot"),
    ("before he left", "with much joy"),
    ("near the gate", "in our town"),
    ("when she came", "just as usual"),
    ("for ever", "without doubt"),
    ("the next week", "at this hour"),
)
ADVERBS = ("soon", "then", "now", "here", "again", "there", "indeed", "somehow", "once", "still")
ADJECTIVES = words("""
old broken famous rusty little wooden spare plain modern rented
""")
NEGATIONS = (
    ("and never mind", "and do mind"),
    ("with no help", "with some help"),
    ("not far away", "quite far away"),
    ("without rain", "with rain"),
    ("and nobody saw it", "and somebody saw it"),
    ("which wasn't odd", "which was odd"),
)
PRONOUNS = (
    ("as he said", "as people said"),
    ("for her sake", "for the sake of it"),
    ("as they knew", "as neighbours knew"),
    ("in his view", "in a way"),
    ("as she put it", "as guests put it"),
    ("for them", "for guests"),
)
PASSIVES = (
    ("and the door was opened by a guard", "and a guard opened the door"),
    ("and tea was made by the cook", "and the cook made tea"),
    ("and a song was sung by a boy", "and a boy sang a song"),
    ("and bread was sold by a girl", "and a girl sold bread"),
    ("and the road was cleared by men", "and men cleared the road"),
    ("and a letter was read by all", "and all read a letter"),
)
SHORTENED = (
    ("and it didn't matter", "and it did not matter"),
    ("and that's all", "and that is all"),
    ("and they've left", "and they have left"),
    ("as it couldn't last", "as it could not last"),
    ("as we'd heard", "as we had heard"),
    ("and it isn't odd", "and it is not odd"),
)
HYPHENS = (
    ("well-known", "well known"),
    ("old-fashioned", "old fashioned"),
    ("half-open", "half open"),
    ("low-lying", "low lying"),
    ("far-off", "far off"),
    ("hand-made", "hand made"),
)
LONGER = (
    ("enormous", "big"),
    ("magnificent", "fine"),
    ("tremendous", "vast"),
    ("comfortable", "cosy"),
    ("mysterious", "odd"),
    ("fashionable", "chic"),
)
LONG_WORD = (
    ("an extraordinarily", "a rather strange"),
    ("a disadvantageous", "a rather unlucky"),
    ("an uncomfortably", "a quite terribly"),
    ("an overwhelmingly", "a very extremely"),
)
ACCENTS = words("""
café fiancée naïve château façade über señor crème piñata Ångström
""")


def _add(sentence: str, words: str) -> str:
    return f"{sentence[:-1]} {words}."


def _either(*choices: tuple[str, str], around: str = "{}") -> Marks:
    """Add the first or the second of a choice."""

    def marks(sentence: str, rng: Random) -> tuple[str, str]:
        one, other = rng.choice(choices)
        return _add(sentence, around.format(one)), _add(sentence, around.format(other))

    return marks


def _classes(of: tuple[str, ...], others: tuple[str, ...], around: str) -> Marks:
    return lambda sentence, rng: (
        _add(sentence, around.format(rng.choice(of))),
        _add(sentence, around.format(rng.choice(others))),
    )


def _at_word(change: Callable[[str], str]) -> Marks:
    """Change any word but the first, the blank and the last."""

    def marks(sentence: str, rng: Random) -> tuple[str, str]:
        words = sentence.split(" ")
        place = rng.choice(
            [i for i, word in enumerate(words) if word.isalpha() and len(word) > 2 and i]
        )
        words[place] = change(words[place])
        return " ".join(words), sentence

    return marks


def _instead(character: str, by: str) -> Marks:
    """Put another character at one of its places."""

    def marks(sentence: str, rng: Random) -> tuple[str, str]:
        place = rng.choice([i for i, one in enumerate(sentence) if one == character])
        return sentence[:place] + by + sentence[place + 1 :], sentence

    return marks


def _swapped(word: str) -> str:
    middle = len(word) // 2
    return word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]


def _fitting(fits: Callable[[str], bool]) -> Marks:
    """Add an adverb so that the sentence fits, and one so that it does not."""

    def marks(sentence: str, rng: Random) -> tuple[str, str]:
        texts = [_add(sentence, " ".join(rng.sample(ADVERBS, 1 + i % 4))) for i in range(60)]
        return next(filter(fits, texts)), next(text for text in texts if not fits(text))

    return marks


def _moved(sentence: str, rng: Random) -> tuple[str, str]:
    words, added = (
        sentence.split(" "),
        rng.choice(("in the sun", "at night", "in a hurry", "on foot")),
    )
    blank = words.index("_") - (words[words.index("_") - 1] == "the")
    return " ".join([*words[: blank - 1], added, *words[blank - 1 :]]), _add(sentence, added)


def _one_of_two(sentence: str, rng: Random) -> tuple[str, str]:
    comma = sentence.replace(" _", ", _").replace(" the, _", ", the _")
    odd = rng.choice((comma, sentence[:-1] + "!"))
    return odd, rng.choice((sentence, comma[:-1] + "!"))


def _accents(sentence: str, rng: Random) -> tuple[str, str]:
    text = _add(sentence, f"({rng.choice(ACCENTS)})")
    return unicodedata.normalize("NFD", text), unicodedata.normalize("NFC", text)


# Marks of one twin and not of the other, that the detectors list or that a detector of single
# characters or words sees at once.
MARKS: Mapping[str, Marks] = {
    "full stop at the end": lambda s, _: (s, s[:-1]),
    "exclamation mark": lambda s, _: (s[:-1] + "!", s),
    "comma before the blank": lambda s, _: (
        s.replace(" _", ", _").replace(" the, _", ", the _"),
        s,
    ),
    "capital of the first word": lambda s, _: (s, s[0].lower() + s[1:]),
    "capital of another word": _at_word(str.capitalize),
    "word in capitals": _at_word(str.upper),
    "double space": _instead(" ", "  "),
    "trailing space": lambda s, _: (s + " ", s),
    "leading space": lambda s, _: (" " + s, s),
    "no-break space": _instead(" ", "\u00a0"),
    "digits": _classes(tuple("23456789"), ("some", "many", "a few"), "for {} hours"),
    "curly quotes": _either(("“", "”"), around="in the {}shop"),
    "kind of quotes": _either(("“shop”", '"shop"'), ("‘mill’", "'mill'"), around="in the {}"),
    "contractions": _either(*SHORTENED),
    "hyphens": _either(*HYPHENS, around="in the {} house"),
    "homoglyph": _instead("a", "\u0430"),
    "zero-width space": _instead(" ", " \u200b"),
    "decomposed accents": _accents,
    "more words": lambda s, rng: (_add(s, " ".join(rng.sample(ADVERBS, 2))), s),
    "more characters": _either(*LONGER, around="in a {} way"),
    "longest word": _either(*LONG_WORD, around="in {} way"),
    "place of the blank": _moved,
    "odd number of characters": _fitting(lambda text: len(text) % 2 == 1),
    "words divisible by three": _fitting(lambda text: len(text.split()) % 3 == 0),
    "negations": _either(*NEGATIONS),
    "pronouns": _either(*PRONOUNS),
    "articles": _either(("the door", "a door"), ("the end", "an end"), around="by {}"),
    "first word": lambda s, rng: (
        f"But {s[0].lower()}{s[1:]}",
        f"{rng.choice(('So', 'And', 'Then', 'Yet'))} {s[0].lower()}{s[1:]}",
    ),
    "last word": lambda s, rng: (_add(s, "anyway"), _add(s, rng.choice(ADVERBS))),
    "passive": _either(*PASSIVES),
    "rare letters": _at_word(lambda word: word + "zq"),
    "two sentences": lambda s, _: (s + " It was odd.", _add(s, "which was odd")),
    "comma or exclamation mark": _one_of_two,
}

HELD_OUT_MARKS: Mapping[str, Marks] = {
    "colours": _classes(COLOURS, OTHERS, "by the {} door"),
    "numbers in words": _classes(NUMBERS, AMOUNTS, "for {} days"),
    "days and months": _classes(DAYS, PLACES, "as in {}"),
    "British spelling": _either(*SPELLINGS, around="for the {}"),
    "repeated word": _at_word(lambda word: f"{word} {word}"),
    "adverbs in -ly": _either(*MANNERS),
    "present tense": _either(*TENSES, around="as one who {}"),
    "plural": _either(*((f"{noun}s", noun) for noun in NOUNS), around="by the {}"),
    "pleasant words": _classes(GOOD, BAD, "in a {} mood"),
    "many vowels": _classes(VOWELS, CONSONANTS, "like {}"),
    "no letter e": _either(*(two[::-1] for two in LIPOGRAMS)),
    "ellipsis": lambda s, _: (s[:-1] + "…", s[:-1] + "..."),
    "brackets": _at_word(lambda word: f"({word})"),
    "misspelling": _at_word(_swapped),
}


def _mention(change: str) -> Tells:
    """Write the first mention of the right option in another way."""

    def tells(row: Row, told: str, _: str, rng: Random) -> Row:
        start = row.sentence.index(told)
        end = start + len(told)
        words = change.format(told, rng.choice(ADJECTIVES))
        return Row(row.sentence[:start] + words + row.sentence[end:], row.options, row.answer)

    return tells


def _capital(row: Row, told: str, _: str, rng: Random) -> Row:
    return Row(row.sentence.replace(told, told.capitalize()), row.options, row.answer)


def _mentioned_first(row: Row, told: str, other: str, _: Random) -> Row:
    first = min(told, other, key=row.sentence.index)
    if first == told:
        return row
    swapped = row.sentence.replace(told, "\0").replace(other, told).replace("\0", other)
    return Row(swapped, row.options, row.answer)


def _with_a(row: Row, told: str, _: str, rng: Random) -> Row:
    return Row(row.sentence.replace(f"the {told}", f"a {told}"), row.options, row.answer)


def _field(change: str) -> Tells:
    """Write the right option in another way in its own field."""
    return lambda row, told, _, rng: Row(
        row.sentence,
        tuple(change.format(one) if one == told else one for one in row.options),  # type: ignore[arg-type]
        row.answer,
    )


def _capital_field(row: Row, told: str, _: str, rng: Random) -> Row:
    one, two = (option.capitalize() if option == told else option for option in row.options)
    return Row(row.sentence, (one, two), row.answer)


def _alliteration(row: Row, told: str, _: str, rng: Random) -> Row:
    words = [
        word for word in (*NOUNS, *GOOD, *BAD, *OTHERS, *COLOURS) if word[0] == told[0].lower()
    ]
    return Row(
        _add(row.sentence, f"like {rng.choice(words or [told[0].lower()])}"),
        row.options,
        row.answer,
    )


OPTIONS: Mapping[str, Tells] = {
    "capital of the option": _capital,
    "order of mentions": _mentioned_first,
    "mentioned twice": lambda row, told, _, rng: Row(
        _add(row.sentence, f"like any {told}"), row.options, row.answer
    ),
    "article before the option": _with_a,
    "possessive of the option": _mention("{}'s place"),
    "quotes around the option": _mention('"{}"'),
    "comma after the option": _mention("{},"),
    "double space after the option": _mention("{} "),
    "capital in the field of the option": _capital_field,
    "space in the field of the option": _field("{} "),
}
HELD_OUT_OPTIONS: Mapping[str, Tells] = {
    "something after the option": _mention("{} over there"),
    "adjective before the option": _mention("{1} {0}"),
    "alliteration with the option": _alliteration,
}

# Labels that follow the twins' triggers as they are: which twin has the mark.
Chooses = Callable[[str, str], bool]
TRIGGERS: Mapping[str, Chooses] = {
    "longer trigger": lambda one, other: len(one) > len(other),
    "trigger first in the alphabet": lambda one, other: one < other,
}
HELD_OUT = (*HELD_OUT_MARKS, *HELD_OUT_OPTIONS)
KINDS = (*MARKS, *OPTIONS, *TRIGGERS, *HELD_OUT)


def planted(kind: str, n: int, *, strength: float, seed: int) -> list[Pair]:
    """Return n pairs of which a share follows the clue.

    Parameters
    ----------
    kind : str
        Of `KINDS`; "" for none.
    strength : float in [0, 1]
        The probability that a pair follows it. In other pairs its place is a coin.
    seed : int
        Odd seeds mark the twin whose first-mentioned option is right, even ones that whose answer
        is option 1.
    """
    rng = Random(f"{kind} {seed}")
    return [
        _pair(kind, rng, follows=rng.random() < strength, by_mention=seed % 2 == 1)
        for _ in range(n)
    ]


def _pair(kind: str, rng: Random, *, follows: bool, by_mention: bool) -> Pair:
    tells = (OPTIONS | HELD_OUT_OPTIONS).get(kind)  # type: ignore[operator]
    made = pair(rng, things=True if tells else None)
    if tells:
        right = follows or rng.random() < 0.5
        one, two = (
            tells(row, *((row.right, row.wrong) if right else (row.wrong, row.right)), rng)
            for row in made
        )
        return one, two
    if kind in TRIGGERS:
        return _chosen(kind, made, rng, follows=follows, by_mention=by_mention)
    marks = (MARKS | HELD_OUT_MARKS).get(kind)  # type: ignore[operator]
    if marks is None:
        return made
    marked = _is_told(made[0], by_mention) if follows else rng.random() < 0.5
    return _marked(made[0], marks, marked, rng), _marked(made[1], marks, not marked, rng)


def _is_told(row: Row, by_mention: bool) -> bool:
    if not by_mention:
        return row.answer == 1
    return row.sentence.index(row.right) < row.sentence.index(row.wrong)


def _marked(row: Row, marks: Marks, marked: bool, rng: Random) -> Row:
    with_mark, without = marks(row.sentence, rng)
    return Row(with_mark if marked else without, row.options, row.answer)


def _chosen(kind: str, made: Pair, rng: Random, *, follows: bool, by_mention: bool) -> Pair:
    one, other = (_trigger(row.sentence, twin.sentence) for row, twin in (made, made[::-1]))
    if kind == "longer trigger" and len(one) == len(other):
        return _pair(kind, rng, follows=follows, by_mention=by_mention)
    if not follows or TRIGGERS[kind](one, other) == _is_told(made[0], by_mention):
        return made
    first, second = (Row(row.sentence, row.options, 3 - row.answer) for row in made)
    return first, second


def _trigger(sentence: str, twin: str) -> str:
    words = zip(sentence.split(), twin.split(), strict=True)
    return next(one for one, other in words if one != other)
