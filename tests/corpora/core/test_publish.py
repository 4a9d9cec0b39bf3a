"""The published form: WinoGrande's columns, reproducible, and silent about the answer."""

import json
import random
import re
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from corpora.core.items import TwinItem
from corpora.core.publish import Publisher, public_line, size_limits
from corpora.core.splits import split_twins

KEY = b"a secret of sixteen bytes or more"


def publish_dealt(questions, *, dev, key=KEY):
    """Return rows by split, as a release has them; *key* does not decide which twin is in dev."""
    publisher, groups = Publisher(key), defaultdict(list)
    for question in questions:
        groups[question.group].append(question)
    parts = split_twins(sorted(groups), dev=dev, test=0, seed=0).tolist()
    splits = dict(zip(sorted(groups), parts, strict=True))
    published = {"train": [], "dev": []}
    for group in sorted(groups, key=publisher.base):
        published[splits[group]] += publisher.rows(groups[group])
    return published


def leaky_questions(*, pairs: int, unpaired: int, seed: int = 0) -> list[TwinItem]:
    """Make questions whose id, order and option position all tell the answer.

    Every id ends in the answer, rows are sorted by answer, and of unpaired questions always the
    first option is right. What the words say tells nothing: that is the filter's business.
    """
    rng = random.Random(seed)
    questions = []
    for number in range(pairs + unpaired):
        first, second = (
            "".join(rng.choices("abcdefghij", k=rng.randint(1, 8))) + end for end in "xy"
        )
        if rng.random() < 0.5:
            first, second = second, first
        mentioned = rng.sample([first, second], 2)
        for answer in (1, 2) if number < pairs else (1,):
            sentence = f"{mentioned[0]} met {mentioned[1]} as _ did {rng.random():.6f}."
            questions.append(
                TwinItem(
                    id=f"{number:06}-{answer}",
                    group=f"{number:06}",
                    sentence=sentence,
                    options=(first, second),
                    answer=answer,
                )
            )
    return sorted(questions, key=lambda q: (q.answer, q.id))


def test_every_question_is_published_once_with_its_own_right_option():
    questions = {q.id: q for q in leaky_questions(pairs=50, unpaired=20)}
    published = publish_dealt(list(questions.values()), dev=0.2)
    rows = [row for split in published.values() for row in split]
    assert {row.source_id for row in rows} == set(questions)
    for row in rows:
        question = questions[row.source_id]
        right = question.options[question.answer - 1]
        assert (row.option1, row.option2)[row.answer - 1] == right
        assert {row.option1, row.option2} == set(question.options)


def test_twins_share_a_base_a_split_and_the_option_order():
    questions = {q.id: q for q in leaky_questions(pairs=50, unpaired=0)}
    published = publish_dealt(list(questions.values()), dev=0.2)
    for rows in published.values():
        twins = defaultdict(list)
        for row in rows:
            assert re.fullmatch(r"[A-Z2-7]{30}-[12]", row.qid)
            twins[row.qid[:-2]].append(row)
        for first, second in twins.values():
            assert questions[first.source_id].group == questions[second.source_id].group
            assert {first.qid[-1], second.qid[-1]} == {"1", "2"}
            assert first.swapped == second.swapped
            assert {first.answer, second.answer} == {1, 2}


def test_rows_are_sorted_by_qid():
    for rows in publish_dealt(leaky_questions(pairs=50, unpaired=9), dev=0.2).values():
        assert list(rows) == sorted(rows, key=lambda row: row.qid)


def test_the_same_questions_and_key_give_the_same_release_in_any_order():
    questions = leaky_questions(pairs=50, unpaired=20)
    shuffled = random.Random(1).sample(questions, len(questions))
    assert publish_dealt(questions, dev=0.2) == publish_dealt(shuffled, dev=0.2)


def test_another_key_changes_ids_and_coins_and_no_split():
    questions = leaky_questions(pairs=200, unpaired=0)
    one, other = (publish_dealt(questions, dev=0.2, key=k) for k in (KEY, KEY[::-1]))
    by_id = [{row.source_id: row for row in p["train"]} for p in (one, other)]
    common = by_id[0].keys()
    assert common == by_id[1].keys()
    assert not {row.qid for row in one["train"]} & {row.qid for row in other["train"]}
    assert {by_id[0][i].swapped == by_id[1][i].swapped for i in common} == {True, False}


def test_lines_have_winogrande_columns_and_a_blind_file_has_an_empty_answer():
    train = publish_dealt(leaky_questions(pairs=5, unpaired=0), dev=0)["train"]
    lines = [json.loads(public_line(row)) for row in train]
    assert [*lines[0]] == ["qID", "sentence", "option1", "option2", "answer"]
    assert {line["answer"] for line in lines} == {"1", "2"}
    blind = b"".join(public_line(row, blind=True) for row in train).decode()
    assert blind.endswith("\n")
    assert all([*json.loads(line)] == [*lines[0]] for line in blind.splitlines())
    assert {json.loads(line)["answer"] for line in blind.splitlines()} == {""}
    assert not any(row.source_id in blind for row in train)


def test_no_published_field_predicts_the_answer():
    published = publish_dealt(leaky_questions(pairs=6000, unpaired=4000), dev=0.3)
    x_train, y_train = _fields(published["train"])
    x, y = _fields(published["dev"])
    _assert_no_field_goes_with_the_answer(np.vstack([x_train, x]), np.concatenate([y_train, y]))
    _assert_a_forest_guesses(x_train, y_train, x, y)


@pytest.mark.long
def test_no_published_field_predicts_the_answer_of_an_unpaired_survivor():
    published = publish_dealt(leaky_questions(pairs=0, unpaired=9000), dev=0.4)
    x_train, y_train = _fields(published["train"])
    x, y = _fields(published["dev"])
    _assert_no_field_goes_with_the_answer(np.vstack([x_train, x]), np.concatenate([y_train, y]))
    _assert_a_forest_guesses(x_train, y_train, x, y)


def test_the_unpublished_form_would_fail_the_same_test():
    questions = leaky_questions(pairs=6000, unpaired=4000)
    ending = np.array([int(q.id[-1]) for q in questions])
    answers = np.array([q.answer for q in questions])
    with pytest.raises(AssertionError):
        _assert_no_field_goes_with_the_answer(ending[:, None], answers)


def _fields(rows):
    """Return every published field as numbers, and the answers."""
    features = []
    for position, row in enumerate(rows):
        codes = [ord(c) for c in row.qid]
        features.append(
            [
                *codes,
                sum(codes) % 2,
                position,
                position % 2,
                len(row.option1) - len(row.option2),
                row.option1 < row.option2,
                row.sentence.index(row.option1) < row.sentence.index(row.option2),
                len(row.sentence),
            ]
        )
    return np.array(features, dtype=float), np.array([row.answer for row in rows])


def _assert_no_field_goes_with_the_answer(x, y):
    # 5 standard errors for each of some 40 fields: a false alarm once in 40,000 keys.
    for column in x.T:
        if column.std() > 0:
            assert abs(np.corrcoef(column, y)[0, 1]) < 5 / np.sqrt(len(y))


def _assert_a_forest_guesses(x_train, y_train, x, y):
    forest = RandomForestClassifier(60, min_samples_leaf=5, random_state=0).fit(x_train, y_train)
    assert abs(forest.score(x, y) - 0.5) < 4 * 0.5 / np.sqrt(len(y))


def test_twins_of_three_are_refused():
    first, second = leaky_questions(pairs=1, unpaired=0)
    third = replace(first, id="x", options=("a", "b"))
    with pytest.raises(
        ValueError, match="questions must share twin '000000' at most 2 times, got 3"
    ):
        Publisher(KEY).rows([first, second, third])


def test_a_repeated_id_is_refused():
    first, _ = leaky_questions(pairs=1, unpaired=0)
    with pytest.raises(ValueError, match="questions must share id"):
        Publisher(KEY).rows([first, first])


def test_questions_of_several_twins_are_refused():
    with pytest.raises(ValueError, match="questions must be of one twin, got 2"):
        Publisher(KEY).rows(leaky_questions(pairs=0, unpaired=2))


def test_a_short_key_is_refused():
    with pytest.raises(ValueError, match="key must be at least 16 bytes, got 5"):
        Publisher(b"short")


@pytest.mark.parametrize(
    ("n", "sizes"),
    [
        (0, {}),
        (3, {}),
        (4, {"train_l": 1}),
        (300, {"train_xs": 1, "train_s": 4, "train_m": 18, "train_l": 75}),
        (1023, {"train_xs": 3, "train_s": 15, "train_m": 63, "train_l": 255}),
    ],
)
def test_each_training_size_has_a_quarter_of_the_pairs_of_the_next(n, sizes):
    places = sorted(Publisher(KEY).place(str(group)) for group in range(n))
    limits = size_limits(places, n_pairs=n)
    assert {name: sum(place <= last for place in places) for name, last in limits.items()} == sizes


def test_a_validator_has_another_name_in_each_release():
    names = {Publisher(key).pseudonym(worker) for key in (KEY, KEY[::-1]) for worker in (1, 2)}
    assert len(names) == 4
