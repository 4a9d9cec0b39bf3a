"""Advice on twins that differ in a negation or in the polarity of a word."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from collection.core.findings import Finding, make_finding, quote
from collection.core.matching import best_place, fold
from collection.core.triggers import TriggerDiff
from collection.core.words import BLANK, bare, local_window

_CONTRACTED = {"can't": "can", "cannot": "can", "won't": "will", "shan't": "shall", "ain't": "be"}
_NEGATIONS = frozenset({"not", "never", "no"})
# Words that English adds or removes with a negation ("it fits", "it does not fit any").
_SUPPORT = frozenset({"do", "does", "did", "any", "some", "ever"})
_IRREGULAR = {"had": "have", "has": "have"}
_ENDINGS = re.compile(r"(?:ied|ies)$|(?<=..)(?:ed|es|d|s|e)$")


def negation_findings(trigger: TriggerDiff) -> Iterator[Finding]:
    """Yield advice if the twins differ only in a negation.

    Source: the crowd task's "Things to Avoid", 6: "a contrasting sentence can always be created
    using simple negation i.e. by adding not, never, etc."

    The value of the finding is how many more negations one sentence has than the other.
    """
    more = negations_apart(trigger.first_words, trigger.second_words)
    if more:
        more_negated = max((trigger.first_words, trigger.second_words), key=_count)
        words = " ".join(more_negated)
        yield make_finding(
            "trigger_negation",
            f"The sentences differ only in the negation {quote(words)}; use two contrasting words "
            "instead, such as “light” and “heavy”.",
            value=float(more),
            example=words,
        )


def negations_apart(first: Sequence[str], second: Sequence[str]) -> int:
    """Return by how many negations the two sides differ; 0 if anything else differs.

    A negation is "not", "never", "no", or a verb that ends in "n't". Words that accompany it ("do",
    "does", "did", "any", "some", "ever") and the verb's ending do not count as a difference.

    >>> negations_apart(["fits"], ["does", "not", "fit."]), negations_apart(["large"], ["small"])
    (1, 0)
    """
    apart = abs(_count(first) - _count(second))
    if not apart or list(_rest(first)) != list(_rest(second)):
        return 0
    return apart


def _count(side: Sequence[str]) -> int:
    return sum(_is_negation(word) for word in map(_bare, side))


def _is_negation(word: str) -> bool:
    return word in _NEGATIONS or word == "cannot" or word.endswith("n't")


def _rest(side: Sequence[str]) -> Iterator[str]:
    """Yield the stems of the words that are neither negations nor accompany one."""
    for word in map(_bare, side):
        plain = _CONTRACTED.get(word, word.removesuffix("n't"))
        if plain and plain not in _NEGATIONS and plain not in _SUPPORT:
            yield _stem(plain)


def _stem(word: str) -> str:
    """Return a verb without its ending: just enough to match "stopped" and "stop"."""
    stem = _ENDINGS.sub("", _IRREGULAR.get(word, word)).removesuffix("y")
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem


def _bare(word: str) -> str:
    return bare(fold(word))


LEAST_WINDOW = 0.2
LEAST_DIFFERENCE = 0.2
LONGEST = 4_000  # characters; the sentences of a twin are far shorter

# Clause boundaries: statements about one option rarely cross one of these.
_CLAUSE = re.compile(
    r"[,;:.!?]|\b(?:and|but|while|whereas|because|so|although|though|since|when|as|than|yet|or|"
    r"if|unless|until|after|before|instead)\b"
)


@dataclass(frozen=True, slots=True)
class Polarity:
    """The sentiment of one sentence: at its blank, and around each option (each −1 to 1)."""

    window: float
    options: tuple[float, float]

    def leaning(self) -> float:
        """Return how strongly sentiment favours option 1 (above 0) or option 2 (below 0).

        The weaker of two signals: the sentiment at the blank, and the difference between the
        options; 0.0 if either is below its threshold.
        """
        difference = self.options[0] - self.options[1]
        if abs(self.window) < LEAST_WINDOW or abs(difference) < LEAST_DIFFERENCE:
            return 0.0
        weaker = min(abs(self.window), abs(difference))
        return weaker if (self.window > 0) == (difference > 0) else -weaker


def polarity_findings(
    sentences: tuple[str, str], options: tuple[str, str], answers: tuple[int, int]
) -> Iterator[Finding]:
    """Yield advice if polarity predicts the answers of both sentences.

    Source: AAAI 2020, section 3 and Table 2: "the sentiment between the answer option and the
    target pronoun are highly correlated" ("loved … the balls … exciting"). The paper only looked at
    examples; the measure is ours. Sentiment is VADER's compound score. At the blank it is that of
    the local window without the options, at an option that of the clause before the window that
    contains the option (of the option's own words, if both options are in one clause). A sentence
    is predicted if both are clear (`LEAST_WINDOW`, `LEAST_DIFFERENCE`): positive sentiment at the
    blank goes with the option described more positively.

    The value of the finding is the weaker prediction of the two sentences, 0 to 1.
    """
    if answers not in {(1, 2), (2, 1)}:
        return
    polarities = [polarity(sentence, options) for sentence in sentences]
    toward = [1 if answer == 1 else -1 for answer in answers]
    guesses = [
        each.leaning() * sign if each else 0.0
        for each, sign in zip(polarities, toward, strict=True)
    ]
    if min(guesses) <= 0:
        return
    clearest = max((each.options for each in polarities if each), key=_clarity)
    good, bad = options if clearest[0] > clearest[1] else options[::-1]
    yield make_finding(
        "polarity_association",
        f"Positive and negative words reveal both answers: {quote(good)} is described more "
        f"positively than {quote(bad)}, and is the answer where the ending is more positive; "
        "choose a neutral trigger word, or describe both options alike.",
        value=round(min(guesses), 3),
        example=f"{good} (+) / {bad} (−)"[:200],
    )


def polarity(sentence: str, options: tuple[str, str]) -> Polarity | None:
    """Return a sentence's sentiment; None without exactly one blank and both options before it."""
    if sentence.count(BLANK) != 1 or len(sentence) > LONGEST:
        return None
    window = local_window(sentence)
    before = fold(sentence[: len(sentence) - len(window)])
    places = [best_place(option, before) for option in options]
    if places[0] is None or places[1] is None:
        return None
    clauses = [_clause(before, place.start) for place in places if place]
    if clauses[0] == clauses[1]:
        clauses = [fold(option) for option in options]
    end = fold(window)
    for option in options:
        end = end.replace(fold(option), " ")
    return Polarity(
        compound(end.replace(BLANK, "it")), (compound(clauses[0]), compound(clauses[1]))
    )


def _clarity(felt: tuple[float, float]) -> tuple[float, float, float]:
    """Rank by the difference of the options; ties by value, so that order does not matter."""
    return (abs(felt[0] - felt[1]), *felt)


def _clause(text: str, place: int) -> str:
    ends = [match.span() for match in _CLAUSE.finditer(text)]
    start = max((end for _, end in ends if end <= place), default=0)
    stop = min((begin for begin, _ in ends if begin > place), default=len(text))
    return text[start:stop]


@lru_cache(maxsize=1)
def _analyzer() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()


def compound(text: str) -> float:
    """Return VADER's compound score of a text, −1 (most negative) to 1 (most positive)."""
    return float(_analyzer().polarity_scores(text)["compound"])
