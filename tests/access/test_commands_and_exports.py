"""Who runs each command, and who may have each file and each of its columns, is decided here."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.data_dir import ROOT

OURS = (
    "winoplatform",
    "workers",
    "collection",
    "validation",
    "corpora",
    "panels",
    "publishing",
    "filtering",
    "knowledge",
    "evaluation",
)
OPERATOR = "runs on the server, where the database is open anyway"
COMMANDS = {
    "serve": f"{OPERATOR}; prints the first passwords, which a change of password ends",
    "first_accounts": f"{OPERATOR}; prints the first passwords, which a change of password ends",
    "create_campaign": OPERATOR,
    "import_articles": OPERATOR,
    "import_winogrande": OPERATOR,
    "load_starter": OPERATOR,
    "check_ledger": OPERATOR,
    "check_artifacts": f"{OPERATOR}; prints sums of files",
    "backup": f"{OPERATOR}; writes all rows and files, and secrets only when asked to",
    "restore": f"{OPERATOR}; into an empty database; prints pseudonyms of those to be erased",
    "erase": f"{OPERATOR}; prints numbers of rows, and a name stays only where it is to be changed",
    "export_campaign": "curators only: files with labels",
    "import_export": f"{OPERATOR}; adds nothing to the accounts of people",
    "aflite": "reads and writes files that the operator names",
    "migrate": "changes tables as their owner, and grants rights; prints names of migrations",
    "export_release": "everybody: the public files only (tests/filtering/test_releases.py)",
    "publish": f"{OPERATOR}; sends public files, which anyone may have, to the Hub and to Zenodo",
    "start_pipeline": OPERATOR,
    "queue_starter": OPERATOR,
    "import_reference_set": OPERATOR,
    "index_published": "reads and writes files that the operator names; hashes only",
    "demo": OPERATOR,
    "run": f"{OPERATOR}; prints figures and suspected keys, also of blind questions; trains on "
    "none of them",
    "shard": f"{OPERATOR}; prints how far a run is",
    "evaluate": f"{OPERATOR}; prints figures, also of blind questions",
    "score_predictions": f"{OPERATOR}; prints figures, also of blind questions",
    "import_winowhy": OPERATOR,
    "export_knowledge": "everybody: nothing of blind questions (knowledge/test_release_blind.py)",
    "import_knowledge": f"{OPERATOR}; its questions are for curators until they are shown",
    "verify": "reads files that anyone may have, and those of curators that the operator names",
    "paper_kit": "reads the public files of a release, which anyone may have",
    "export_opening": "curators only: files with blind labels",
}
CURATORS, WORKER, EVERYBODY = "curators", "the worker whose it is, and curators", "everybody"
FILES = {
    "frontend.account.audit_log.audit_file": "admins only",
    "workers.exports.statement_response": WORKER,
    "workers.exports.own_data_response": "who asks, about nobody else",
    "collection.exports.payouts.payout_response": CURATORS,
    "collection.exports.sessions.sessions_csv": CURATORS,
    "validation.exports.campaigns.write_campaign": CURATORS,
    "panels.exports.votes_csv": CURATORS,
    "winoplatform.api.ranges.sent": "callers decide, as for a whole file",
    "winoplatform.api.ranges._whole": "callers decide: blind labels and runs are for curators",
    "winoplatform.api.streams.streamed_file": "callers decide: campaigns are for curators",
    "winoplatform.exporting.spreadsheets.saved_as": "callers decide: what each saves is named here",
    "evaluation.exports.questions.question_file": CURATORS,
    "corpora.api.views.get": "everybody; of reference sets that are not public, curators",
    "corpora.exports.write_release": EVERYBODY,
    "corpora.exports.write_metadata": EVERYBODY,
    "evaluation.exports.opening.write_opening": CURATORS,
}
COLUMNS = {
    # Of what a worker reads: no question, no answer, no validity, nothing that only gold has.
    "workers.selectors.COLUMNS": (
        "written_at", "kind", "unit", "campaign", "amount", "currency", "state", "note",
    ),
    # Of admins: no secret, no label, no text of people.
    "workers.selectors.AUDIT_COLUMNS": (
        "at", "kind", "by", "by_name", "account", "account_name", "what", "facts", "via",
        "address", "request_id",
    ),
    "collection.exports.payouts.COLUMNS": (
        "worker", "amount", "currency", "entries", "platform", "participant", "username",
        "own_label",
    ),
    "collection.exports.payouts.BONUS_COLUMNS": (
        "WorkerId", "AssignmentId", "BonusAmount", "Reason", "UniqueRequestToken",
    ),
    "collection.exports.sessions.COLUMNS": (
        "participant", "session", "worker", "status", "units", "code", "approvals",
        "approval_rate", "created_at", "ended_at", "reported", "reported_at",
    ),
    "validation.selectors.tables.twins.COLUMNS": (
        "twin", "revises", "origin", "source_id", "source_split", "domain", "anchor", "option1",
        "option2", "trigger", "warnings", "advice", "author", "guidelines", "typed_characters",
        "pasted_characters", "largest_insert", "edits", "active_seconds", "min_words",
        "max_words", "min_overlap", "votes_per_question", "verdict_policy", "withdrawn_at",
        "created_at",
    ),
    "validation.selectors.tables.questions.COLUMNS": (
        "question", "twin", "number", "sentence", "option1", "option2", "answer", "domain",
        "origin", "valid", "reasons", "counts", "policy", "version", "decided_by", "decided_at",
        "withdrawn_at", "created_at",
    ),
    "validation.selectors.tables.votes.COLUMNS": (
        "vote", "question", "twin", "domain", "worker", "seat", "option", "correct", "ambiguous",
        "local_option", "local_correct", "seconds_local", "seconds_sentence", "guidelines",
        "report", "comment", "gold", "excluded", "amended", "claimed_at", "local_at", "amended_at",
        "excluded_at", "excluded_by", "exclusion_reason", "created_at",
    ),
    "validation.selectors.tables.settings.COLUMNS": (
        "change", "by", "before", "after", "created_at",
    ),
    "panels.exports.COLUMNS": (
        "vote", "item", "group", "domain", "worker", "people_origin", "seat", "option", "shown",
        "correct", "seconds", "created_at", "used", "exclusion_reason", "fails", "report",
        "first_option", "amended_at",
    ),
    # Of everyone: a blind row has an empty answer.
    "corpora.core.bundle.layout.COLUMNS": (
        "qID", "sentence", "option1", "option2", "answer", "domain", "origin",
    ),
    "corpora.core.leaks.files.COLUMNS": ("qID", "sentence", "option1", "option2"),
    # Of problems whose questions are not held back.
    "knowledge.core.bundle.files.JSON_COLUMNS": (
        "id", "pair", "question", "group", "sentence", "pronoun", "right", "wrong", "knowledge",
        "text", "label", "kind", "valid",
    ),
    "knowledge.core.bundle.files.NLI_COLUMNS": ("id", "premise", "hypothesis", "label"),
    "knowledge.core.bundle.files.WINOWHY_COLUMNS": (
        "sentence", "wnli_sent1", "wnli_sent2", "label", "wsc_num", "fold_num",
    ),
}  # fmt: skip
MAKERS = {
    "StreamingHttpResponse", "saved_as", "FileResponse", "text/csv", "application/x-ndjson"
}  # fmt: skip


def our_commands() -> set[str]:
    return {name for name, app in get_commands().items() if app in (*OURS, "frontend")}


def files_made(root: Path) -> set[str]:
    """Return each function that answers with a file, and each public one of a module of exports."""
    found = set()
    for path in (path for app in (*OURS, "frontend") for path in (root / app).rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        for function in _functions(path):
            writes = "write_" in function.name and ".exports" in module
            if writes or MAKERS & set(_called(function)):
                found.add(f"{module}.{function.name}")
    return found


def _functions(path: Path) -> Iterator[ast.FunctionDef]:
    tree = ast.walk(ast.parse(path.read_text()))
    return (node for node in tree if isinstance(node, ast.FunctionDef))


def _called(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2]
            yield from (str(ast.literal_eval(each)).partition(";")[0] for each in _typed(node))


def _typed(call: ast.Call) -> Iterator[ast.Constant]:
    """Yield the content type that an answer is given."""
    for keyword in call.keywords:
        if keyword.arg == "content_type" and isinstance(keyword.value, ast.Constant):
            yield keyword.value


def columns_declared(root: Path) -> set[str]:
    """Return each public constant of the apps that names a file's columns."""
    found = set()
    for path in (path for app in OURS for path in (root / app).rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        for node in ast.parse(path.read_text()).body:
            names = [ast.unparse(each) for each in getattr(node, "targets", [])]
            found |= {f"{module}.{n}" for n in names if n.endswith("COLUMNS") and n[0] != "_"}
    return {name for name in found if ".imports." not in name}


def test_every_command_is_decided() -> None:
    assert our_commands() == set(COMMANDS)


def test_a_new_command_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    known = get_commands() | {"tell_labels": "validation"}
    monkeypatch.setattr("tests.access.test_commands_and_exports.get_commands", lambda: known)
    assert our_commands() - set(COMMANDS) == {"tell_labels"}


def test_every_file_that_the_platform_makes_is_decided() -> None:
    assert files_made(ROOT) == set(FILES)


@pytest.mark.long
def test_every_column_of_a_file_is_decided() -> None:
    assert columns_declared(ROOT) == set(COLUMNS)
    for name, columns in COLUMNS.items():
        module, _, constant = name.rpartition(".")
        assert getattr(import_module(module), constant) == columns, name


def test_a_new_file_with_columns_is_found(tmp_path: Path) -> None:
    (tmp_path / "validation").mkdir()
    (tmp_path / "validation" / "labels.py").write_text(
        "COLUMNS = ('question', 'answer')\n"
        "def labels_csv(campaign):\n"
        "    return StreamingHttpResponse(lines(campaign))\n"
        "def labels_page(campaign):\n"
        "    return HttpResponse(text(campaign), content_type='text/csv; charset=utf-8')\n"
    )
    made = {f"validation.labels.{name}" for name in ("labels_csv", "labels_page")}
    assert files_made(tmp_path) == made
    assert columns_declared(tmp_path) == {"validation.labels.COLUMNS"}
