"""The command that looks for artifacts."""

import pytest
from django.core.management import CommandError, call_command

from evaluation.core.artifacts import EXCERPTS
from evaluation.models import ArtifactDetection
from tests.corpora.sets import imported
from tests.evaluation.detection_sets import CLEAN
from tests.evaluation.sets import small_set

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("few_relabellings")
def test_the_command_prints_the_verdict_and_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    small_set(CLEAN)
    call_command("detect_artifacts", "small")
    title, verdict, head, *lines, end = capsys.readouterr().out.splitlines()
    assert title == "small test · 30 of 30 items · seed 0"
    assert verdict.startswith("No leak found by a simple model that sees ")
    place = next(i for i, line in enumerate(lines) if line.startswith("kind of clues"))
    table, kinds = lines[:place], lines[place + 1 :]
    # Of 15 pairs, hardly any clue says something often enough.
    assert [line[:16].strip() for line in kinds] == ["numbers", "all together"]
    assert head.split()[:3] == ["detector", "n", "accuracy"]
    assert [line.split()[0] for line in table[::2]] == [
        "full_sentence", "local_context", "no_candidates", "part_sentence", "candidates_only",
        "option_position",
    ]  # fmt: skip
    assert end.endswith(f"artifact detection {ArtifactDetection.objects.get().public_id}")


@pytest.mark.usefixtures("few_relabellings")
def test_the_command_prints_what_each_scorer_sees(
    tiny: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    small_set(CLEAN)
    call_command("detect_artifacts", "small", scorer=[f"causal/full={tiny['model']}"])
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("causal · causal language model · whole sentence")
    assert [line.split()[0] for line in lines[start + 1 : start + 9 : 2]] == list(EXCERPTS)


@pytest.mark.parametrize(
    ("data", "options", "sentence"),
    [
        ("none", {}, "There is no reference set, release or snapshot “none”."),
        ("tiny", {"split": "dev"}, "has no split “dev”"),
        ("tiny", {"encoding": "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21"}, "There is no encoding"),
        ("tiny", {"encoding": "odd"}, "is not a valid UUID"),
        ("tiny", {"scorer": ["majority"]}, "“majority” cannot look for artifacts"),
    ],
)
def test_the_command_refuses_with_a_sentence(
    data: str, options: dict[str, str], sentence: str
) -> None:
    imported()
    with pytest.raises(CommandError, match=sentence):
        call_command("detect_artifacts", data, **options)
