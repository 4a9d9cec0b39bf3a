"""Queries: the predicate between the options, and that of the clause of the gap."""

import pytest

from evaluation.core.retrieval.antecedents import find_evidence, strength
from evaluation.core.retrieval.english import stem, tokens
from evaluation.core.retrieval.queries import Queries, Unparsed, generate_queries
from tests.evaluation.core.retrieval.knowledge import Text


def parsed(sentence, *options):
    before, after = sentence.split("_")
    return generate_queries(Text(before, options, after))


def test_a_schema_gives_its_two_predicates():
    found = parsed("Jim yelled at Kevin because _ was so upset.", "Jim", "Kevin")
    assert found.context == (("yell",),)
    assert found.query == (("upset",),)
    assert (found.roles, found.place, found.excluded) == (("agent", "patient"), "subject", ("jim",))


def test_terms_are_the_whole_predicate_its_head_and_an_infinitive():
    found = parsed("Paul tried to call George because _ wanted help.", "Paul", "George")
    assert found.context == (("tri", "call"), ("tri",), ("call",))
    assert found.query == (("want", "help"), ("want",))


def test_roles_follow_the_text_and_not_the_order_of_options():
    sentence = "Jim comforted Kevin because _ was so upset."
    assert parsed(sentence, "Kevin", "Jim").roles == ("patient", "agent")
    assert parsed(sentence, "Kevin", "Jim").context == parsed(sentence, "Jim", "Kevin").context


def test_the_subject_of_a_passive_is_the_patient():
    found = parsed("Jim was comforted by Kevin because _ was upset.", "Jim", "Kevin")
    assert found.roles == ("patient", "agent")


def test_words_that_describe_the_second_option_are_no_part_of_the_predicate():
    found = parsed(
        "The trophy doesn't fit into the brown suitcase as _ is big.", "trophy", "suitcase"
    )
    assert found.context == (("fit",),)


def test_a_gap_governed_by_a_verb_is_its_object():
    found = parsed("Jim praised Kevin because everyone hated _ .", "Jim", "Kevin")
    assert (found.place, found.query) == ("object", (("hate",),))


def test_an_option_that_differs_in_its_article_or_adjective_is_found():
    found = parsed("The old man taught a boy as _ was kind.", "the man", "the clever boy")
    assert found.roles == ("agent", "patient")


def test_the_clause_of_the_gap_may_come_first():
    found = parsed("Because _ was upset, Jim yelled at Kevin.", "Jim", "Kevin")
    assert (found.context, found.query) == ((("yell",),), (("upset",),))


def test_the_first_two_options_with_a_predicate_between_them_have_the_roles():
    found = parsed("Ann and Bob met Cy, who smiled, as _ was glad.", "Cy", "Ann", "Bob")
    assert found.roles == ("patient", None, "agent")


@pytest.mark.parametrize(
    ("sentence", "options", "reason"),
    [
        ("Ann met them because _ was glad.", ("Ann", "Bob"), "fewer than two options"),
        ("Ann and Bob left because _ was glad.", ("Ann", "Bob"), "no predicate stands between"),
        ("Ann ran, so Bob left as _ was glad.", ("Ann", "Bob"), "no predicate stands between"),
        ("Ann was moved to Bob as _ was ill.", ("Ann", "Bob"), "passive and names no agent"),
        ("Ann met Bob because _ did.", ("Ann", "Bob"), "no predicate in the clause"),
        ("Ann met Bob because _'s dog was ill.", ("Ann", "Bob"), "possessive"),
        ("The red car hit a car as _ sped.", ("red car", "car"), "overlap"),
    ],
)
def test_what_the_rules_cannot_parse_is_said(sentence, options, reason):
    with pytest.raises(Unparsed, match=reason):
        parsed(sentence, *options)


def test_forms_of_a_verb_have_one_stem():
    assert len({stem(word) for word in ("throw", "throws", "throwing", "threw", "thrown")}) == 1
    assert len({stem(word) for word in ("refuse", "refused", "refusing")}) == 1


def test_a_genitive_is_a_token_of_its_own():
    assert tokens("It’s Ian's well-known arm, isn't it?") == [
        "it", "'s", "ian", "'s", "well-known", "arm", ",", "isn't", "it", "?",
    ]  # fmt: skip


def queries(context=(("yell",),), query=(("upset",),), place="subject"):
    return Queries(
        context=context, query=query, roles=("agent", "patient"), place=place, excluded=()
    )


def decided(sentence, wanted=None):
    found = find_evidence(sentence, 0, wanted or queries())
    return found and (found.role, found.rule)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The boss yelled at the clerk because the boss was upset.", ("agent", "same word")),
        ("The boss yelled at the clerk because the clerk was upset.", ("patient", "same word")),
        ("I yelled at them as I was really upset.", ("agent", "same word")),
        ("I yelled at them as they were upset.", ("patient", "same word")),
        ("He was yelled at because he was upset.", ("patient", "same word")),
        ("The child was upset so she yelled at him.", None),
        ("They yelled at us and were upset.", ("agent", "shared subject")),
        ("We were yelled at and became upset.", ("patient", "shared subject")),
        ("Rebecca yelled at the boys because she was upset.", ("agent", "agreement")),
        ("The boys yelled at Rebecca because she was upset.", ("patient", "agreement")),
        ("Rebecca yelled at Mary because she was upset.", None),
        ("Yell at people if you are upset.", ("agent", "same word")),
        ("Do not yell at a friend who is upset.", ("patient", "same word")),
        ("Ann tried to yell at Bob because Ann was upset.", ("agent", "same word")),
        ("The weather was upset.", None),
    ],
)
def test_a_rule_decides_the_role(sentence, expected):
    assert decided(sentence) == expected


def test_the_gap_as_an_object_asks_for_the_object():
    wanted = queries(query=(("hate",),), place="object")
    assert decided("He yelled at them because we hated them.", wanted) == ("patient", "same word")
    assert decided("He yelled at them because we hated him.", wanted) == ("agent", "same word")


def test_words_of_a_term_stand_in_one_clause():
    wanted = queries(query=(("fear", "violenc"),))
    assert decided("He yelled at them as he feared more violence.", wanted)
    assert not decided("He yelled at them as he feared it, violence.", wanted)


def test_the_longest_term_that_is_found_counts():
    wanted = queries(query=(("fear", "violenc"), ("fear",)))
    assert find_evidence("He yelled at us as he feared violence.", 0, wanted).strength == 4
    assert find_evidence("He yelled at us as he feared dogs.", 0, wanted).strength == 3


def test_strength_is_that_of_the_paper():
    one, two = ("yell",), ("fear", "violenc")
    assert [strength(one, one, in_order=False), strength(one, one, in_order=True)] == [2, 3]
    assert [strength(one, two, in_order=False), strength(two, one, in_order=True)] == [3, 4]
