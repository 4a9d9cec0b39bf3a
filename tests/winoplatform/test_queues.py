"""Every kind of run is in the table of queues of docs/architecture.md."""

import re

from tests.data_dir import ROOT
from winoplatform.runs.dispatch import run_models
from winoplatform.runs.models import Run

CHOOSES = {"evaluation", "knowledge evaluation"}  # by its settings


def test_the_document_lists_each_kind_of_run_by_its_queue() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    listed = {
        queue: set(re.split(r", |; ", re.search(rf"^\| `{queue}` \| (.+) \|$", text, re.M)[1]))  # type: ignore[index]
        for queue in ("light", "heavy")
    }
    for model in run_models():
        name = str(model._meta.verbose_name)
        chooses = model.queue is not Run.queue
        assert chooses == (name in CHOOSES)
        assert chooses or name in listed[model.QUEUE], name
        assert not chooses or all(name in " ".join(kinds) for kinds in listed.values()), name
