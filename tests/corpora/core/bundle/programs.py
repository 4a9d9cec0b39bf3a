"""Others' programs that open a release's folder, each run as its user would run it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from modeling.specs import SMOLLM2, ModelSpec, converted_folder

LM_EVAL = os.environ.get("WINO_LM_EVAL", "")
needs_harness = pytest.mark.skipif(
    not LM_EVAL, reason="WINO_LM_EVAL does not name lm-evaluation-harness"
)

SMOLLM2_FOLDER = converted_folder(ModelSpec.parse(SMOLLM2))

INSPECT = os.environ.get("WINO_INSPECT", "")
needs_inspect = pytest.mark.skipif(not INSPECT, reason="WINO_INSPECT does not name Inspect")

# Rows by configuration and split.
LOAD = """
import datasets, json, sys
names = datasets.get_dataset_config_names(sys.argv[1])
loaded = {name: datasets.load_dataset(sys.argv[1], name) for name in names}
loaded["default"] = datasets.load_dataset(sys.argv[1])
print(json.dumps({name: {split: rows.to_list() for split, rows in one.items()}
                  for name, one in loaded.items()}))
"""
CROISSANT = """
import json, mlcroissant, sys
data = mlcroissant.Dataset(sys.argv[1] + "/croissant.json")
found = {each.id: list(data.records(each.id)) for each in data.metadata.record_sets}
print(json.dumps({
    "issues": [*data.metadata.issues.errors, *data.metadata.issues.warnings],
    "version": data.metadata.ctx.conforms_to.value,
    "limits": data.metadata.data_limitations,
    "records": found,
}, default=bytes.decode))
"""

# As the venue's validator: the description is given as JSON, and each record set has a record.
SERVED = """
import functools, http.server, json, mlcroissant, sys, threading
from corpora.core.bundle.croissant import with_addresses
fetched = []
class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        fetched.append(self.path)
handler = functools.partial(Files, directory=sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(sys.argv[1] + "/croissant.json") as file:
    about = with_addresses(json.load(file), f"http://127.0.0.1:{server.server_port}/")
data = mlcroissant.Dataset(jsonld=about)
sets = [each.uuid for each in data.metadata.record_sets]
found = {name: next(iter(data.records(record_set=name))) for name in sets}
print(json.dumps({
    "issues": [*data.metadata.issues.errors, *data.metadata.issues.warnings],
    "first": found,
    "fetched": fetched,
}, default=bytes.decode))
"""


def run(code: str, folder: Path, home: Path) -> Any:
    """Return what a program prints of the release; both programs warn about other packages."""
    here = str(Path(__file__).resolve().parents[4])
    env = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(home), "HOME": str(home)}
    env["PYTHONPATH"] = here
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        capture_output=True, text=True, env=env, cwd=home, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def harness(
    release: Path,
    home: Path,
    *,
    model: Path = SMOLLM2_FOLDER,
    start: str = "",
    limit: int | None = None,
) -> dict[str, Any]:
    """Return what lm-evaluation-harness finds with the model of a folder on the release's task.

    The scores, and under ``samples`` by the question's id the log-likelihood of each option.
    """
    metadata = ["--metadata", json.dumps({"start": start})] if start else []
    limits = [] if limit is None else ["--limit", str(limit)]
    options = ["--batch_size", "4", *metadata, *limits]
    scores, samples = _harness(release, home, release.name, model, *options)
    likelihoods = {
        one["doc"]["qID"]: [float(said[0]) for said in one["filtered_resps"]] for one in samples
    }
    return scores | {"samples": likelihoods}


def harness_answers(release: Path, home: Path, *, model: Path) -> dict[str, Any]:
    """Return what the harness finds when it asks the model of a folder for numbers.

    ``acc``, ``pair_acc``, under ``samples`` by the question's id what it extracted, and under
    ``file`` the path of its log.
    """
    name = f"{release.name}_answers"
    options = ["--batch_size", "1", "--apply_chat_template"]
    scores, samples = _harness(release, home, name, model, *options)
    return {
        "acc": scores["acc,number"],
        "pair_acc": scores["pair_acc,number"],
        "samples": {one["doc"]["qID"]: one["filtered_resps"][0] for one in samples},
        "file": next((home / "out").rglob("samples_*.jsonl")),
    }


def _harness(
    release: Path, home: Path, task: str, model: Path, *options: str
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    command: list[str | Path] = [
        LM_EVAL, "--model", "hf", "--model_args", f"pretrained={model},dtype=float32",
        "--tasks", task, "--include_path", release / "harness", "--device", "cpu",
        "--output_path", home / "out", "--log_samples", *options,
    ]  # fmt: skip
    subprocess.run(command, check=True, env=_offline(home), capture_output=True)
    (found,) = (home / "out").rglob("results_*.json")
    (lines,) = (home / "out").rglob("samples_*.jsonl")
    scores: dict[str, Any] = json.loads(found.read_text())["results"][task]
    return scores, [json.loads(line) for line in lines.read_text().splitlines()]


def inspect_answers(release: Path, home: Path, *, model: Path) -> dict[str, Any]:
    """Return what Inspect finds with the model on the release's task, as `harness_answers`."""
    command: list[str | Path] = [
        INSPECT, "eval", Path(release.name, "inspect", "answers.py"), "--model", "hf/local",
        *("-M", f"model_path={model}", "-M", "device=cpu", "-M", "do_sample=false"),
        *("-M", "dtype=float32"),  # as of the harness; by itself that of the file
        *("--log-dir", home / "logs", "--log-format", "json", "--display", "none"),
        *("--max-connections", "1"),
    ]  # fmt: skip
    # Inspect looks for tasks below the folder where it is started.
    subprocess.run(command, check=True, env=_offline(home), capture_output=True, cwd=release.parent)
    (path,) = (home / "logs").glob("*.json")
    log = json.loads(path.read_text())
    metrics = log["results"]["scores"][0]["metrics"]
    return {
        "acc": metrics["accuracy"]["value"],
        "pair_acc": metrics["pair_accuracy"]["value"],
        "samples": {one["id"]: one["scores"]["number"]["answer"] for one in log["samples"]},
        "file": path,
    }


def _offline(home: Path) -> dict[str, str]:
    # Several threads wait for one another where other programs use the same cores.
    threads = {"OMP_NUM_THREADS": "1"}
    return os.environ | threads | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(home)}
