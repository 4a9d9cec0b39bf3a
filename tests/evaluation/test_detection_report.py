"""What the command `run` prints of a detection of artifacts."""

import pytest
from django.core.management import CommandError, call_command

from evaluation.core.artifacts.results import EXCERPTS
from evaluation.models import ArtifactDetection
from tests.corpora.sets import imported
from tests.evaluation.detection_sets import CLEAN
from tests.evaluation.sets import small_set

NONE = "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21"


@pytest.mark.usefixtures("few_relabellings")
def test_the_command_prints_the_verdict_and_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    small_set(CLEAN)
    call_command("run", "artifact-detection", "--reference-set", "small")
    title, verdict, head, *lines, end = capsys.readouterr().out.splitlines()
    assert title == "test · 30 of 30 items · seed 0"
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


@pytest.mark.long
@pytest.mark.usefixtures("few_relabellings")
def test_the_command_prints_what_each_scorer_sees(
    tiny: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    small_set(CLEAN)
    scorer = f"method=causal,variant=full,model={tiny['model']}"
    call_command("run", "artifact-detection", "--reference-set", "small", "--scorers", scorer)
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("causal · causal language model · whole sentence")
    assert [line.split()[0] for line in lines[start + 1 : start + 9 : 2]] == list(EXCERPTS)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "--release: Name one release, reference set or snapshot."),
        (["--reference-set", "none"], "There is no reference set “none”."),
        (["--reference-set", "tiny", "--split", "dev"], "has no split “dev”"),
        (["--reference-set", "tiny", "--encoding", NONE], "--encoding: There is no encoding"),
        (["--reference-set", "tiny", "--encoding", "odd"], "--encoding: Must be a valid UUID"),
        (["--reference-set", "tiny", "--scorers", "method=majority"], "--method: .*not a valid"),
    ],
)
def test_the_command_refuses_with_a_sentence(options: list[str], sentence: str) -> None:
    imported()
    with pytest.raises(CommandError, match=sentence):
        call_command("run", "artifact-detection", *options)
