"""Votes on suspected keys: decisions, and forecasts against simulated panels."""

from dataclasses import dataclass

import numpy as np
import pytest

from evaluation.core.key_votes import Decision, forecast, key_votes

PEOPLE = 12


@dataclass(frozen=True)
class Round:
    """A simulated panel: how many keys were wrong, confirmed, and confirmed though right."""

    n_wrong: int
    n_found: int
    n_false: int
    n_right: int
    expected: float
    n_votes: int


def simulated(seed: int, *, votes: int, skill: float = 0.9, suspects: int = 20) -> Round:
    """People of different skill about suspects of calibrated probabilities, and as many others."""
    rng = np.random.default_rng([seed, votes])
    chances = np.concatenate([rng.beta(6, 1.2, suspects), np.full(suspects, 0.01)])
    is_wrong = rng.random(2 * suspects) < chances
    truth = rng.integers(1, 3, 2 * suspects)
    keys = np.where(is_wrong, 3 - truth, truth)
    skills = np.clip(rng.normal(skill, 0.05, PEOPLE), 0.6, 0.99)
    who = np.stack([rng.permutation(PEOPLE)[:votes] for _ in truth])
    random = rng.random(2 * suspects) < 1 / 21
    right = rng.random(who.shape) < np.where(random[:, None], 0.5, skills[who])
    said = key_votes(
        np.where(right, truth[:, None], 3 - truth[:, None]),
        who,
        keys.tolist(),
        n_options=[2] * len(keys),
    )
    wrong = np.array([one.decision is Decision.WRONG for one in said])[:suspects]
    of_suspects = is_wrong[:suspects]
    return Round(
        n_wrong=int(of_suspects.sum()),
        n_found=int((wrong & of_suspects).sum()),
        n_false=int((wrong & ~of_suspects).sum()),
        n_right=int((~of_suspects).sum()),
        expected=forecast(chances[:suspects].tolist(), votes=votes, skill=skill).n_found,
        n_votes=who.size,
    )


def test_options_are_alike_whatever_the_keys() -> None:
    votes, people = [[1, 1, 2], [2, 2, 2]], [[0, 1, 2]] * 2
    one, other = (key_votes(votes, people, keys, n_options=[2, 2]) for keys in ([1, 1], [2, 2]))
    assert [each.posterior for each in one] == [each.posterior for each in other]
    assert [each.decision for each in one] == [Decision.SPLIT, Decision.WRONG]
    assert [each.decision for each in other] == [Decision.SPLIT, Decision.RIGHT]
    assert key_votes([], [], [], n_options=[]) == []


def test_an_option_that_an_item_does_not_have_has_no_probability() -> None:
    (three, two) = key_votes([[3] * 5, [1] * 5], [range(5)] * 2, [1, 1], n_options=[3, 2])
    assert (three.decision, three.answer, len(three.posterior)) == (Decision.WRONG, 3, 3)
    assert (two.decision, len(two.posterior), sum(two.posterior)) == (Decision.RIGHT, 2, 1)


def test_a_vote_of_who_contradicts_everybody_weighs_less() -> None:
    """Two questions with four votes to one: the one is often right, or chooses at random."""
    rng = np.random.default_rng(0)
    people = np.tile(np.arange(5), (60, 1))
    votes = np.ones((60, 5), dtype=np.int64)
    votes[:, 4] = rng.integers(1, 3, 60)
    votes[0], votes[1] = [2, 1, 1, 1, 1], [1, 1, 1, 1, 2]
    reliable, contrary = key_votes(votes, people, [1] * 60, n_options=[2] * 60)[:2]
    assert contrary.posterior[0] > reliable.posterior[0]


@pytest.mark.parametrize(("votes", "power"), [(3, 0.70), (5, 0.88)])
def test_a_forecast_states_the_share_of_wrong_keys_that_votes_confirm(
    votes: int, power: float
) -> None:
    assert forecast([0.5], votes=votes).power == pytest.approx(power, abs=0.005)
    assert forecast([], votes=votes).n_found == 0


def totals(votes: int, n: int, **how: float) -> dict[str, float]:
    rounds = [simulated(seed, votes=votes, **how) for seed in range(n)]  # type: ignore[arg-type]
    found = np.array([one.n_found for one in rounds])
    expected = np.array([one.expected for one in rounds])
    return {
        "ratio": float(found.sum() / expected.sum()),
        "power": float(found.sum() / sum(one.n_wrong for one in rounds)),
        "false": sum(one.n_false for one in rounds) / sum(one.n_right for one in rounds),
        "votes_per_found": float(sum(one.n_votes for one in rounds) / found.sum()),
        "expected_votes": float(sum(one.n_votes for one in rounds) / expected.sum()),
    }


@pytest.mark.long
@pytest.mark.parametrize("votes", [3, 5])
def test_panels_find_as_many_keys_for_their_votes_as_forecast(votes: int) -> None:
    """60 simulated panels of 12 people; few right keys are taken for wrong ones."""
    result = totals(votes, 60)
    assert 0.9 <= result["ratio"] <= 1.1
    assert result["false"] <= 0.03


@pytest.mark.long
def test_people_of_less_skill_confirm_fewer_keys_than_forecast() -> None:
    """The page names the skill for which its forecast holds."""
    assert totals(5, 30, skill=0.8)["power"] < forecast([0.5], votes=5).power - 0.05
