"""What is exported is imported back; what its records do not make is refused."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from corpora import services as corpora
from corpora.core.bundle.reading import open_bundle
from corpora.models import ReferenceSet
from knowledge import proving, services
from knowledge.building.build import read_archive
from knowledge.models import KnowledgeRelease, KnowledgeSet, Sentence
from knowledge.prover.process import Prover
from tests.knowledge.releasing import (
    Files,
    a_set,
    archive,
    exported,
    files,
    packed,
    released,
    unpacked,
    validated,
)
from winoplatform.errors import DomainError


@pytest.fixture(autouse=True)
def one_prover(prover: Prover, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "shared", lambda: prover)


@pytest.fixture(scope="module")
def content(kept: str, prover: Prover) -> bytes:
    """The archive of a validated set with words, which is gone then."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proving, "shared", lambda: prover)
        of = validated()
        services.put_words(
            knowledge_set=of, name="too_large", positive="{x is|are} too large",
            negative="{x is|are} not too large",
        )  # fmt: skip
        found = archive(released(of))
    forget(of)
    return found


def forget(of: KnowledgeSet) -> None:
    """Delete a set with all that it has, as in an empty database."""
    questions = of.reference_set
    KnowledgeRelease.objects.filter(knowledge_set=of).delete()
    for validation in [getattr(of, "validation", None)]:
        if validation is not None:
            validation.seats.all().delete()
            validation.delete()
    Sentence.objects.filter(knowledge_set=of).delete()
    of.formalisations.all().delete()
    of.delete()
    assert questions is not None
    questions.delete()


def stored(content: bytes, folder: Path) -> Path:
    path = folder / "first.zip"
    path.write_bytes(content)
    return path


def imported(content: bytes, folder: Path, **options: Any) -> KnowledgeRelease:
    with open_bundle(stored(content, folder)) as found:
        return services.import_knowledge(archive=found, by=None, **options)


def described(of: KnowledgeSet) -> dict[str, Any]:
    """All that people wrote for a set, without the keys of rows."""
    sentences = of.sentences.select_related("formula", "formalisation", "of")
    return {
        "formulas": sorted(of.formulas.values_list("name", "text", "shown", "digest")),
        "words": sorted(of.lexicon.values_list("name", "positive", "negative")),
        "formalisations": sorted(
            (one.question, one.number, json.dumps(one.content), one.fingerprint,
             sorted(one.formulas.values_list("name", flat=True)))
            for one in of.formalisations.all()
        ),
        "sentences": sorted(
            (one.kind, one.text, json.dumps(one.mentions), one.false_formula, one.pick,
             one.formula.name if one.formula else "", str(one.formalisation),
             one.of.text if one.of else "")
            for one in sentences
        ),
        "of": (of.name, of.title),
    }  # fmt: skip


@pytest.mark.long
def test_import_of_export_is_the_same_set_and_exports_the_same_bytes(tmp_path: Path) -> None:
    of = validated(3, wrong=2)
    services.put_words(
        knowledge_set=of, name="too_large", positive="{x is|are} too large",
        negative="{x is|are} not too large",
    )  # fmt: skip
    release = released(of, title="Kitchen", authors=["Dana Doe"])
    before, sums, content = described(of), release.content_hash, archive(release)
    forget(of)
    again = imported(content, tmp_path)
    assert described(again.knowledge_set) == before
    assert (again.content_hash, again.n_pairs, again.n_valid) == (sums, 3, 2)
    assert archive(again) == content
    assert exported(again, tmp_path).read_bytes() == content


@pytest.mark.long
def test_an_imported_set_is_over_a_set_of_questions_that_has_them(
    content: bytes, tmp_path: Path
) -> None:
    own = imported(content, tmp_path).knowledge_set.reference_set
    assert own is not None
    assert not own.is_public
    KnowledgeRelease.objects.all().delete()
    Sentence.objects.all().delete()
    KnowledgeSet.objects.all().delete()
    again = imported(content, tmp_path, reference_set=own)
    assert again.knowledge_set.reference_set == own
    row = json.loads(unpacked(content)["questions.jsonl"]) | {"answer": 2}
    other = corpora.import_reference_set(
        name="other", format="items", splits={"test": [json.dumps(row)]}, by=None
    )
    with pytest.raises(DomainError) as refused:
        imported(content, tmp_path, reference_set=other)
    assert refused.value.code == "questions_differ"


@pytest.mark.long
def test_a_command_exports_and_another_imports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of = a_set()
    call_command("export_knowledge", "small", "--out", str(tmp_path / "small.zip"))
    call_command("export_knowledge", "small", "--out", str(tmp_path / "folder"))
    release = of.releases.get()
    assert (tmp_path / "small.zip").read_bytes() == archive(release)
    assert (tmp_path / "folder/nli/natural.csv").read_bytes() == files(release)["nli/natural.csv"]
    assert not (tmp_path / "folder/index.jsonl").exists()
    forget(of)
    call_command("import_knowledge", str(tmp_path / "folder"))
    assert "2 pairs" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no finished release and no knowledge set “none”"):
        call_command("export_knowledge", "none")
    with pytest.raises(CommandError, match="already exists"):
        call_command("import_knowledge", str(tmp_path / "small.zip"))
    with pytest.raises(CommandError, match="no reference set “none”"):
        call_command("import_knowledge", str(tmp_path / "small.zip"), "--reference-set", "none")


Edit = Callable[[Files], Any]


def in_line(name: str, old: str, new: str) -> Edit:
    def edit(found: Files) -> None:
        assert old.encode() in found[name], found[name][:300]
        found[name] = found[name].replace(old.encode(), new.encode(), 1)

    return edit


def without(name: str) -> Edit:
    return lambda found: found.pop(name)


def with_file(name: str, content: bytes) -> Edit:
    return lambda found: found.__setitem__(name, content)


def swapped(found: Files) -> None:
    """Exchange the two texts of the first pair."""
    rows = [json.loads(line) for line in found["pairs.jsonl"].splitlines()]
    true, false = rows[0]["true"], rows[0]["false"]
    true["text"], false["text"] = false["text"], true["text"]
    dump = [json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            for row in rows]  # fmt: skip
    found["pairs.jsonl"] = ("\n".join(dump) + "\n").encode()


def turned(found: Files) -> None:
    """Let two of six change their answer about a sentence."""
    found["votes.jsonl"] = found["votes.jsonl"].replace(b'"yes":true', b'"yes":false', 2)


def doubled(name: str) -> Edit:
    return lambda found: found.__setitem__(name, found[name] + found[name].splitlines(True)[0])


HOSTILE: dict[str, tuple[Edit, str]] = {
    "a file is missing": (without("pairs.jsonl"), "it has no pairs.jsonl"),
    "a derived file is missing": (without("nli/natural.csv"), "has other files: nli/natural.csv"),
    "a file too many": (with_file("more.jsonl", b"{}\n"), "has other files: more.jsonl"),
    "no manifest": (with_file("manifest.json", b"[]"), "must be an object"),
    "deep JSON": (with_file("manifest.json", b"[" * 100_000), "not JSON|recursion"),
    "a name that is a path": (
        in_line("manifest.json", '"name": "first"', '"name": "../up"'), "about.name must be"
    ),
    "another format": (in_line("manifest.json", '"format": 1', '"format": 2'), "format must be 1"),
    "not UTF-8": (with_file("votes.jsonl", b"\xff\n"), "votes.jsonl, line 1"),
    "half a character": (in_line("formulas.jsonl", "large", "\\ud800"), "formulas.jsonl, line 1"),
    "a null byte": (in_line("words.jsonl", "too large", "too\\u0000large"), "words.jsonl, line 1"),
    "no number": (in_line("votes.jsonl", '"seconds":null', '"seconds":NaN'), "votes.jsonl, line 1"),
    "a long line": (with_file("pairs.jsonl", b'"' + b"x" * (1 << 21)), "more than 1,048,576 bytes"),
    "an unknown field": (in_line("pairs.jsonl", '"kind"', '"kinds"'), "kinds is not a field"),
    "a slot that is none": (in_line("pairs.jsonl", "{X:person", "{X-person"), "pairs.jsonl, line"),
    "an unreadable formula": (in_line("formulas.jsonl", "->", "->>"), "cannot be read"),
    "another fingerprint": (
        in_line("formulas.jsonl", "too_large(x)", "too_large(y)"), "fingerprint"
    ),
    "an unknown question": (in_line("pairs.jsonl", '"t-1"', '"t-9"'), "is in no other file"),
    "a line twice": (doubled("votes.jsonl"), "must be sorted"),
    "votes of nobody": (doubled("pairs.jsonl"), "must be sorted"),
    "two votes turned": (turned, "does not follow from the votes"
    ),
    "a script of no proof": (
        in_line("proofs.jsonl", '"question":"t-1"', '"question":"t-2"'), "has no proof"
    ),
    "true and false exchanged": (swapped, "is not what its records make"),
    "a label turned": (
        in_line("natural.jsonl", '"label": true', '"label": false'), "natural.jsonl is not what"
    ),
    "another Parquet file": (
        with_file("data/problems.parquet", b"PAR1PAR1"), "data/problems.parquet is not what"
    ),
    "another card": (in_line("README.md", "Half of", "Most of"), "README.md is not what"),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("attack", HOSTILE)
def test_a_hostile_archive_is_refused_with_a_clear_error(
    attack: str, content: bytes, tmp_path: Path
) -> None:
    edit, said = HOSTILE[attack]
    found = unpacked(content)
    edit(found)
    with pytest.raises((DomainError, ValueError), match=said):
        imported(packed(found), tmp_path)


def bomb(content: bytes) -> bytes:
    """An archive that says to be a gigabyte and more when unpacked."""
    sink = io.BytesIO(content)
    with zipfile.ZipFile(sink, "a", zipfile.ZIP_DEFLATED) as out:
        with out.open(zipfile.ZipInfo("first/zeros"), "w", force_zip64=True):
            pass
        info = out.getinfo("first/zeros")
        info.file_size = (1 << 30) + 1
    return sink.getvalue()


BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "no zip file": (lambda content: b"PK" + content[5:900], "cannot be read as a zip file"),
    "cut off": (lambda content: content[: len(content) // 2], "cannot be read as a zip file"),
    "two folders": (
        lambda _: _two_tops(), "one folder at its top"
    ),
    "a bomb": (bomb, "zeros has more than 100 times the bytes"),
}  # fmt: skip


def _two_tops() -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as out:
        out.writestr("a/manifest.json", "{}")
        out.writestr("b/manifest.json", "{}")
    return sink.getvalue()


@pytest.mark.long
@pytest.mark.parametrize("attack", BROKEN)
def test_a_broken_file_is_refused_before_it_is_read(
    attack: str, content: bytes, tmp_path: Path
) -> None:
    broken, said = BROKEN[attack]
    path = stored(broken(content), tmp_path)
    with pytest.raises(ValueError, match=said), open_bundle(path) as found:
        read_archive(found)


def test_what_is_refused_leaves_nothing(content: bytes, tmp_path: Path) -> None:
    found = unpacked(content)
    swapped(found)
    path = stored(packed(found), tmp_path)
    with pytest.raises(CommandError, match="is not what its records make"):
        call_command("import_knowledge", str(path))
    assert not KnowledgeSet.objects.exists()
    assert not ReferenceSet.objects.exists()
