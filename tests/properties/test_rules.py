"""What holds for the rules on any text at all."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from collection.core.anchors import find_anchors, is_function_word
from collection.core.findings import RULES
from collection.core.rules import Domain, Report, TwinDraft, check_question, check_twin
from collection.core.triggers import Segment, trigger_diff
from collection.core.words import BLANK, local_window, overlap, words
from tests.breakers import mirrored
from tests.collection.core.examples import GOOD

twice = settings(max_examples=2 * settings.default.max_examples)

anything = st.text(st.characters(exclude_categories=()), max_size=80)
# Few different words, so that sentences share some, repeat some and move some.
tokens = st.sampled_from(
    ["_", "lamp", "Lamp", "lamps", "door", "door,", "-", "a", "the", "b\u00a0c"]
)
sentences = st.lists(tokens, max_size=20).map(" ".join) | anything
drafts = st.builds(
    TwinDraft,
    sentences=st.tuples(sentences, sentences),
    options=st.tuples(tokens | anything, tokens | anything),
    answers=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    anchor=st.none() | tokens | anything,
    domain=st.none() | st.sampled_from(Domain),
)


@st.composite
def near_good(draw: st.DrawFn) -> TwinDraft:
    """Return the good twins with any text pasted over a part of the second sentence."""
    first, second = GOOD.sentences
    start = draw(st.integers(0, len(second)))
    end = draw(st.integers(start, len(second)))
    return replace(GOOD, sentences=(first, second[:start] + draw(anything) + second[end:]))


def places(report: Report, *, swapped: bool = False) -> Counter[tuple[str, int | None]]:
    other = {1: 2, 2: 1, None: None}
    return Counter(
        (item.code, other[item.sentence] if swapped else item.sentence) for item in report.findings
    )


@twice
@given(drafts | near_good())
def test_any_text_gets_a_well_formed_report(draft: TwinDraft) -> None:
    report = check_twin(draft)
    for item in report.findings:
        assert item.code in RULES
        assert item.message[0].isupper()
        assert item.message.endswith(".")
        if item.start is not None and item.end is not None and item.sentence is not None:
            assert 0 <= item.start < item.end <= len(draft.sentences[item.sentence - 1])


@twice
@given(drafts | near_good())
def test_it_does_not_matter_which_twin_comes_first(draft: TwinDraft) -> None:
    there, back = check_twin(draft), check_twin(mirrored(draft))
    assert places(there) == places(back, swapped=True)
    assert there.overlap == back.overlap


@twice
@given(drafts)
def test_the_same_draft_gets_the_same_report(draft: TwinDraft) -> None:
    assert check_twin(draft) == check_twin(replace(draft))


@twice
@given(drafts)
def test_an_unpaired_question_breaks_the_rules_its_sentence_breaks_in_twins(
    draft: TwinDraft,
) -> None:
    alone = check_question(draft.sentences[0], draft.options, draft.answers[0])
    plain = replace(draft, anchor=None, domain=None)
    in_twins = {item.code for item in check_twin(plain).findings if item.sentence != 2}
    assert {item.code for item in alone} <= in_twins


@twice
@given(sentences, sentences)
def test_overlap_is_symmetric_and_a_share(a: str, b: str) -> None:
    assert 0 <= overlap(a, b) <= 1
    assert overlap(a, b) == overlap(b, a)
    assert overlap(a, b) == _overlap_by_crossing_out(words(a), words(b))


@twice
@given(sentences, sentences)
def test_the_segments_of_a_difference_rebuild_both_sentences(a: str, b: str) -> None:
    segments = trigger_diff(a, b).segments
    assert [word for part in segments for word in words(part.first)] == words(a)
    assert [word for part in segments for word in words(part.second)] == words(b)
    for part in segments:
        assert a[slice(*part.first_span)] == part.first
        assert b[slice(*part.second_span)] == part.second
    assert all(x.kind != y.kind for x, y in pairwise(segments))


@twice
@given(sentences, sentences)
@example("_ lamp door", "door lamp _")
def test_the_difference_is_the_same_from_either_side(a: str, b: str) -> None:
    there, back = trigger_diff(a, b), trigger_diff(b, a)
    assert there.key == back.key
    assert [mirror(part) for part in there.segments] == list(back.segments)


@twice
@given(sentences, sentences)
def test_no_difference_is_smaller(a: str, b: str) -> None:
    diff = trigger_diff(a, b)
    common = len(words(a)) - len(diff.first_words)
    assert common == len(words(b)) - len(diff.second_words)
    assert common == _longest_common(words(a), words(b))


@twice
@given(sentences, sentences, st.integers(0, 4))
def test_the_local_window_ends_the_sentence(before: str, after: str, count: int) -> None:
    sentence = before.replace(BLANK, "") + BLANK + after.replace(BLANK, "")
    window = local_window(sentence, before=count)
    assert sentence.endswith(window)
    ahead = words(window[: window.index(BLANK) + 1])
    assert len(ahead) <= count + 1
    assert words(sentence)[-len(words(window)) :] == words(window)


@twice
@given(sentences)
def test_anchors_are_content_words_of_the_article(article: str) -> None:
    for anchor in find_anchors(article):
        assert article[anchor.start : anchor.end] == anchor.text
        assert anchor.text in anchor.sentence
        assert not any(map(is_function_word, anchor.text.split()))


def mirror(part: Segment) -> Segment:
    return Segment(part.kind, part.second, part.first, part.second_span, part.first_span)


def _overlap_by_crossing_out(a: list[str], b: list[str]) -> float:
    left = [word.casefold() for word in b]
    common = 0
    for word in map(str.casefold, a):
        if word in left:
            left.remove(word)
            common += 1
    return common / max(len(a), len(b), 1)


def _longest_common(a: list[str], b: list[str]) -> int:
    @cache
    def longest(i: int, j: int) -> int:
        if i == len(a) or j == len(b):
            return 0
        if a[i].casefold() == b[j].casefold():
            return 1 + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1))

    return longest(0, 0)
