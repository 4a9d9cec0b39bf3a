"""``manage.py aflite``: from files to the rows that stay, also when it is killed."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from filtering.core.aflite import AFLite
from filtering.management.commands import aflite
from tests.data_dir import ROOT
from tests.filtering.core.planted import planted, twins
from tests.filtering.stages import PUBLISHED

SMALL = {"n": 8, "m": 200, "k": 20, **PUBLISHED}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    x, y, _ = planted(n_leaky=300, n_clean=500)
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "y.txt").write_text("".join(f"{label}\n" for label in y))
    return {name: tmp_path / name for name in ("x.npy", "y.txt", "kept.txt")}


def run(files: dict[str, Path], **options: Any) -> str:
    heard = io.StringIO()
    call_command(
        "aflite",
        files["x.npy"],
        files["y.txt"],
        stderr=heard,
        **{"out": files["kept.txt"], **SMALL, **options},
    )
    return heard.getvalue()


def expected(files: dict[str, Path], **fitted: Any) -> list[int]:
    labels = files["y.txt"].read_text().split()
    found = AFLite(**SMALL).fit(np.load(files["x.npy"]), labels, **fitted)
    return np.flatnonzero(found.support_).tolist()


@pytest.mark.long
def test_it_writes_the_rows_that_stay_and_tells_of_every_phase(files: dict[str, Path]) -> None:
    told = run(files)
    assert [int(line) for line in files["kept.txt"].read_text().split()] == expected(files)
    assert "phase 1: 800 rows, accuracy 0." in told
    assert "rows kept" in told
    assert {path.name for path in files["x.npy"].parent.iterdir()} == set(files)


@pytest.mark.long
def test_it_tells_how_many_rows_kept_have_the_features_of_another_one(
    files: dict[str, Path],
) -> None:
    assert "No row kept has the features of another one." in run(files)
    x, labels = np.load(files["x.npy"]), files["y.txt"].read_text().split()
    kept = [int(line) for line in files["kept.txt"].read_text().split()]
    copied = [*range(800), *kept[:50]]
    np.save(files["x.npy"], x[copied])
    other = [str(1 - int(labels[row])) for row in kept[:10]]
    answers = [*labels, *other, *(labels[row] for row in kept[10:50])]
    files["y.txt"].write_text("".join(f"{label}\n" for label in answers))
    told = run(files, tau=1.0, k=800)  # it stops after one phase
    found = {int(line) for line in files["kept.txt"].read_text().split()}
    pairs = [(row, 800 + at) for at, row in enumerate(kept[:50]) if {row, 800 + at} <= found]
    same = sum(answers[one] == answers[two] for one, two in pairs)
    said = f"{2 * len(pairs)} rows kept have the features of another one, {2 * same} with its label"
    assert said in told
    assert 0 < same < len(pairs)


@pytest.mark.long
@pytest.mark.parametrize(
    ("n_leaky", "said"),
    [
        (0, "neither above nor below one half; 5"),
        (300, ", above one half"),
    ],
)
def test_it_tells_on_which_side_of_one_half_fresh_models_are(
    tmp_path: Path, n_leaky: int, said: str
) -> None:
    x, y, _ = planted(n_leaky=n_leaky, n_clean=500, seed=1)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    heard = io.StringIO()
    paths = tmp_path / "x.npy", tmp_path / "y.npy"
    call_command("aflite", *paths, out=tmp_path / "kept.txt", stderr=heard)
    assert said in heard.getvalue()
    assert ("would have been found with a probability of 80%" in heard.getvalue()) == (not n_leaky)


def test_ids_groups_and_labels_may_come_from_files(tmp_path: Path) -> None:
    x, y, groups = twins(n_pairs=200)
    x[:, 0] += 3 * (2 * y - 1)
    ids = [f"q{i:03}" for i in range(400)]
    for name, array in {"x.npy": x, "y.npy": y}.items():
        np.save(tmp_path / name, array)
    for name, lines in {"ids": ids, "groups": groups}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    files = {"x.npy": tmp_path / "x.npy", "y.txt": tmp_path / "y.npy", "kept.txt": tmp_path / "k"}
    run(files, ids=tmp_path / "ids", groups=tmp_path / "groups", removal="together")
    found = AFLite(**{**SMALL, "removal": "together"}).fit(x, y, groups=groups, ids=ids)
    assert files["kept.txt"].read_text().split() == np.array(ids)[found.support_].tolist()
    assert 0 < found.support_.sum() < 400


@pytest.mark.long
def test_killed_and_started_again_it_ends_with_the_same_bytes(files: dict[str, Path]) -> None:
    run(files)
    whole = files["kept.txt"].read_bytes()
    files["kept.txt"].unlink()
    checkpoint = files["x.npy"].with_name("done.npz")
    options = [f"--{name}={value}" for name, value in SMALL.items()]
    command = [sys.executable, "manage.py", "aflite", files["x.npy"], files["y.txt"], *options]
    command += [f"--out={files['kept.txt']}", f"--checkpoint={checkpoint}"]
    # Where nobody could connect: the command needs no database.
    nowhere = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:9/none"}
    with subprocess.Popen(
        command, cwd=ROOT, env=nowhere, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("phase 3"):
                process.kill()
                break
    assert process.returncode == -9
    assert not files["kept.txt"].exists()
    told = run(files, checkpoint=checkpoint)
    assert "Resuming after phase" in told
    assert "phase 3:" not in told
    assert files["kept.txt"].read_bytes() == whole


@pytest.mark.long
def test_a_checkpoint_of_other_data_settings_or_devices_is_refused(
    files: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint = files["x.npy"].with_name("done.npz")
    run(files, checkpoint=checkpoint)
    with pytest.raises(CommandError, match="belongs to other files or settings"):
        run(files, checkpoint=checkpoint, seed=1)
    monkeypatch.setattr(aflite, "_device", lambda _: "cuda")
    with pytest.raises(CommandError, match="belongs to other files or settings"):
        run(files, checkpoint=checkpoint)


@pytest.mark.long
@pytest.mark.parametrize("content", ["", "something else", "cut short", "an array"])
def test_what_is_no_checkpoint_is_refused(files: dict[str, Path], content: str) -> None:
    checkpoint = files["x.npy"].with_name("done.npz")
    run(files, checkpoint=checkpoint)
    data = {
        "cut short": checkpoint.read_bytes()[:-30],
        "an array": files["x.npy"].read_bytes(),
    }.get(content, content.encode())
    checkpoint.write_bytes(data)
    with pytest.raises(CommandError, match="is not a checkpoint"):
        run(files, checkpoint=checkpoint)
    assert checkpoint.read_bytes() == data


@pytest.mark.parametrize(
    ("option", "name", "message"),
    [
        ("out", "nowhere/kept.txt", "cannot be written: No such file"),
        ("out", ".", "cannot be written: it is a folder"),
        ("out", "y.txt", "--out would overwrite"),
        ("checkpoint", "x.npy", "--checkpoint would overwrite"),
        ("checkpoint", "kept.txt", "--checkpoint would overwrite"),
        ("checkpoint", "nowhere/done", "cannot be written: No such file"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_first_phase(
    files: dict[str, Path], option: str, name: str, message: str
) -> None:
    folder = files["x.npy"].parent
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(CommandError, match=message):
        run(files, **{"checkpoint": None, option: folder / name})
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def wrong(name: str, folder: Path) -> Any:
    x = np.load(folder / "x.npy")
    x[5, 2] = np.nan
    return {
        "one-dimensional": np.zeros(800, np.float32),
        "pickled": np.array([{}] * 800),
        "text": np.array([["a"]]),
        "not finite": x,
        "other length": np.zeros((700, 3), np.float32),
    }[name]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("one-dimensional", r"must hold a two-dimensional array of numbers.*shape \(800,\)"),
        ("pickled", "is not a .npy file of numbers or text"),
        ("text", "must hold a two-dimensional array of numbers"),
        ("not finite", "Input X contains NaN"),
        ("other length", "holds 800 labels, and X has 700 rows"),
    ],
)
def test_features_that_do_not_fit_are_refused_in_one_line(
    files: dict[str, Path], name: str, message: str
) -> None:
    np.save(files["x.npy"], wrong(name, files["x.npy"].parent))
    with pytest.raises(CommandError, match=message) as refused:
        run(files)
    assert "\n" not in str(refused.value)
    assert not files["kept.txt"].exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n" * 800, "holds labels of one class only"),
        ("1\n2\n\n" + "1\n" * 797, "has no label in line 3"),
        ("1\n2\n3\n4\n" * 200, "y must hold one or two classes, got 4"),
    ],
)
def test_labels_that_do_not_fit_are_refused(
    files: dict[str, Path], text: str, message: str
) -> None:
    files["y.txt"].write_text(text)
    with pytest.raises(CommandError, match=message):
        run(files)


def test_files_that_are_missing_or_something_else_are_named(files: dict[str, Path]) -> None:
    files["x.npy"].write_text("no array")
    with pytest.raises(CommandError, match=r"x\.npy is not a \.npy file"):
        run(files)
    files["x.npy"].unlink()
    with pytest.raises(CommandError, match=r"x\.npy cannot be read: No such file"):
        run(files)


def test_a_setting_out_of_range_is_named(files: dict[str, Path]) -> None:
    with pytest.raises(CommandError, match=r"tau must be between 0 and 1, got 1\.5"):
        run(files, tau=1.5)
