"""Recompute what a release says of its votes and tables."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from corpora.core.bundle.archive import parquet_about, read_parquet
from corpora.core.bundle.canary import KEY, guid_in
from corpora.core.bundle.card import EMPTY, UNCERTAIN, few_pairs, limits
from corpora.core.bundle.layout import (
    BLIND,
    COLUMNS,
    COMMITMENTS,
    DEBIASED,
    DEV,
    FULL,
    LEAKS,
    MANIFEST,
    QUESTIONS,
    RATES,
    STEMS,
    TRAINING,
    VOTES,
    jsonl,
    parquet,
)
from corpora.core.bundle.reading import Bundle
from corpora.core.clues.results import KINDS
from corpora.core.leaks.results import FILES
from corpora.core.provenance import VALIDATING, WRITING, PeopleTally, Piece, ProvenanceTally
from corpora.core.publish import PublishedRow
from corpora.core.repeats import release_repeats
from corpora.core.tally import Tally
from evaluation.core.verify.findings import UNREADABLE, Finding, equal, ok, unchecked, wrong
from validation.core.verdicts import Ballot, Policy, decide

TEXT = COLUMNS[:4]
LABELS = ("1", "2")
TIMES_APART = 4
"""The first format in which times stand in files of their own."""


def split_names(manifest: dict[str, Any]) -> list[str]:
    """Return the names of the data files that the manifest gives, without ending."""
    return list(manifest["splits"])


def check_tables(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Check each data file in its three forms."""
    files = set(bundle.names())
    for name in STEMS:
        if jsonl(name) in files and name not in manifest["splits"]:
            yield wrong(jsonl(name), "the manifest has no statistics of it")
    for name in split_names(manifest):
        try:
            yield from _check_table(bundle, name)
            yield _check_canary(bundle, name, manifest.get(KEY))
        except UNREADABLE as error:
            yield wrong(f"{name}.jsonl", f"it cannot be read as a table: {error}")


def _check_table(bundle: Bundle, name: str) -> Iterator[Finding]:
    file, blind = f"{name}.jsonl", name == BLIND
    rows = list(bundle.rows(file))
    columns = {*TEXT, "answer"}
    # In releases of earlier versions the blind file has no such column.
    rows = [{"answer": "", **row} if blind else row for row in rows]
    odd = [n for n, row in enumerate(rows, 1) if set(row) != columns or _is_odd(row, blind)]
    if odd:
        these = f"{len(odd):,}, as line {odd[0]}"
        yield wrong(file, f"lines with other columns or without a valid label: {these}")
        return
    ids = [row["qID"] for row in rows]
    if all(before < after for before, after in pairwise(ids)):
        yield ok(file, "ids are in order, each once")
    else:
        yield wrong(file, "ids are not in order, or repeat")
    if not blind:
        labels = [line.decode() for line in bundle.lines(f"{name}-labels.lst")]
        same = labels == [row["answer"] for row in rows]
        yield _same_as(file, f"{name}-labels.lst", "labels", same=same)
    stored = _parquet(bundle, name)
    same = [{key: row[key] for key in (*TEXT, "answer")} for row in stored] == rows
    yield _same_as(file, f"data/{name}.parquet", "questions", same=same)


def _check_canary(bundle: Bundle, name: str, said: object) -> Finding:
    with bundle.files.open(parquet(name)) as file:
        found = guid_in(parquet_about(file).get(KEY, ""))
    return equal(parquet(name), "canary in its metadata", said=said, found=found)


def _same_as(file: str, place: str, what: str, *, same: bool) -> Finding:
    return ok(place, f"the {what} of {file}") if same else wrong(place, f"other {what} than {file}")


def _is_odd(row: dict[str, Any], blind: bool) -> bool:
    labels = ("",) if blind else LABELS
    return not all(isinstance(value, str) for value in row.values()) or row["answer"] not in labels


def _parquet(bundle: Bundle, name: str) -> list[dict[str, Any]]:
    with bundle.files.open(f"data/{name}.parquet") as file:
        return list(read_parquet(file))


def check_splits(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Check that splits share no twin, and that training sizes are nested complete pairs."""
    names = split_names(manifest)
    rows = {name: {row["qID"]: row for row in bundle.rows(f"{name}.jsonl")} for name in names}
    ids = {name: row.keys() for name, row in rows.items()}
    bases = {name: {one.rpartition("-")[0] for one in found} for name, found in ids.items()}
    for one, other in (("dev", FULL), (BLIND, FULL), ("dev", BLIND)):
        shared = bases[one] & bases[other]
        message = f"{len(shared):,} twins are in {other} too"
        yield (wrong if shared else ok)(f"{one}.jsonl", message)
    sizes = [name for name in TRAINING if name in ids]
    for smaller, larger in [*pairwise(sizes), *([(DEBIASED, FULL)] if DEBIASED in ids else [])]:
        inside = all(rows[larger].get(qid) == row for qid, row in rows[smaller].items())
        message = f"every question is in {larger} too" if inside else f"not all are in {larger} so"
        yield (ok if inside else wrong)(f"{smaller}.jsonl", message)
    for name in sizes[:-1]:
        whole = len(ids[name]) == 2 * len(bases[name])
        message = "complete pairs" if whole else "not all questions have their twin"
        yield (ok if whole else wrong)(f"{name}.jsonl", message)


def check_votes(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Recompute each verdict on the questions that are not blind."""
    answers = {
        row["qID"]: int(row["answer"])
        for name in (FULL, DEV)
        for row in bundle.rows(f"{name}.jsonl")
    }
    questions = {row["qID"]: row for row in bundle.rows(QUESTIONS)}
    yield equal(QUESTIONS, "questions", said=len(answers), found=len(questions))
    if questions.keys() - answers.keys():
        yield wrong(QUESTIONS, "it has questions that no split has")
        return
    votes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for vote in bundle.rows(VOTES):
        votes[vote["qID"]].append(vote)
    if votes.keys() - questions.keys():
        yield wrong(VOTES, "it has votes on questions that no split has")
    yield from check_verdicts(QUESTIONS, questions.values(), votes, answers)
    yield from _check_additional(questions, votes)


def _check_additional(
    questions: Mapping[str, Mapping[str, Any]], votes: Mapping[str, list[dict[str, Any]]]
) -> Iterator[Finding]:
    """Check that as many votes are said to be additional as were given beyond those due.

    Lines do not tell which came first.
    """
    for qid, votes_of_question in votes.items():
        settings = questions[qid]["settings"] if qid in questions else None
        due = settings["votes_per_question"] if settings else 0
        counted = [vote for vote in votes_of_question if not vote["excluded"]]
        n_additional = sum(vote["additional"] for vote in counted)
        if n_additional != max(0, len(counted) - due) or any(
            vote["additional"] and vote["excluded"] for vote in votes_of_question
        ):
            yield wrong(VOTES, f"other votes on {qid} are additional than beyond {due}")


def check_verdicts(
    place: str,
    questions: Iterable[Mapping[str, Any]],
    votes: Mapping[str, list[dict[str, Any]]],
    answers: Mapping[str, int],
) -> Iterator[Finding]:
    """Recompute verdicts; those of curators and of imported questions cannot be."""
    n_equal = n_curated = n_without = 0
    for question in questions:
        verdict = question["verdict"]
        if verdict is None:
            n_without += 1
            if question["settings"] is not None:
                yield wrong(place, f"{question['qID']} was written here, and has no verdict")
        elif verdict["by_curator"]:
            n_curated += 1
        elif _decided(question, votes, answers) == _verdict_facts(verdict):
            n_equal += 1
        else:
            yield wrong(place, f"the verdict on {question['qID']} does not follow from its votes")
    yield ok(place, f"{n_equal:,} verdicts follow from their votes")
    if n_curated:
        yield unchecked(place, f"{n_curated:,} verdicts are curators' decisions")
    if n_without:
        yield unchecked(place, f"{n_without:,} questions were imported without votes")


def _decided(
    question: Mapping[str, Any],
    votes: Mapping[str, list[dict[str, Any]]],
    answers: Mapping[str, int],
) -> tuple[Any, ...] | None:
    verdict = question["verdict"]
    ballots = [
        Ballot(vote["option"], vote["ambiguous"], vote["local_option"])
        for vote in votes.get(question["qID"], [])
        if not vote["excluded"]
    ]
    try:
        decision = decide(
            ballots,
            answer=answers[question["qID"]],
            policy=Policy(verdict["policy"]),
            version=verdict["version"],
        )
    except ValueError:
        return None
    return decision.valid, [str(reason) for reason in decision.reasons], decision.counts


def _verdict_facts(verdict: Mapping[str, Any]) -> tuple[Any, ...]:
    return verdict["valid"], verdict["reasons"], verdict["counts"]


def check_commitments(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Check that each blind question has one commitment."""
    blind = {row["qID"] for row in bundle.rows(f"{BLIND}.jsonl")}
    committed = [row["qID"] for row in bundle.rows(COMMITMENTS)]
    yield equal(COMMITMENTS, "commitments", said=manifest["commitments"], found=len(committed))
    if sorted(committed) == sorted(blind):
        yield unchecked(
            COMMITMENTS,
            f"the labels and votes of {len(blind):,} blind questions: committed, not checked",
        )
    else:
        yield wrong(COMMITMENTS, "not every blind question has one commitment")


NOT_HERE = (
    "its title, authors, licence, statements, currency and software; how many people are behind "
    "the names, and how many of them are erased; who they are beyond the origins in its "
    "provenance; which votes came first; the snapshot, what was left out of it, and the draws; "
    "the limits of pairs and near-duplicates; the filter's settings, warnings and fresh models; "
    "fresh votes of people; changes since earlier releases"
)


def recomputed(bundle: Bundle, manifest: dict[str, Any]) -> dict[str, Any]:
    """Return a manifest in which everything that the files tell is as they tell it.

    What they do not tell, see `NOT_HERE`, stays as it is said.
    """
    facts = {**manifest, "splits": {}}
    origins: Counter[str] = Counter()
    for name in manifest["splits"]:
        tally = tally_of(bundle, name)
        facts["splits"][name] = tally.figures(is_blind=name == BLIND)
        if name in (FULL, DEV, BLIND):
            origins.update(tally.origins)
    facts["origin"] = {**manifest["origin"], "questions": dict(sorted(origins.items()))}
    provenance = provenance_of(bundle)
    facts["collection"] = _collection(bundle, manifest, provenance)
    facts["agreement"] = provenance.agreement()
    splits = {name: bundle.rows(jsonl(name)) for name in (FULL, DEV, BLIND)}
    facts["repeats"] = asdict(release_repeats(splits))
    facts["commitments"] = sum(1 for _ in bundle.lines(COMMITMENTS))
    facts["leaks"] = {**manifest["leaks"], **_leaks(bundle.document(LEAKS))}
    facts["limits"] = limits(
        facts["splits"],
        near_duplicate=manifest["near_duplicate"],
        selection=manifest["selection"],
    )
    few = few_pairs(facts["splits"], min_pairs=manifest["min_pairs"])
    others = [text for text in manifest["warnings"] if not text.endswith((UNCERTAIN, EMPTY))]
    facts["warnings"] = [*others, *few]
    return facts


def _collection(
    bundle: Bundle, manifest: dict[str, Any], provenance: ProvenanceTally
) -> dict[str, Any]:
    said = manifest["collection"]
    if manifest["format"] >= TIMES_APART:
        people = {WRITING: said["writers"], VALIDATING: said["validators"]}
        rates = list(bundle.rows(RATES))
        untold = {"erased": said["erased"]} if "erased" in said else {}
        return untold | provenance.collection(currency=said["currency"], people=people, rates=rates)
    tally = _people_of_earlier(bundle)
    facts = provenance.collection(
        currency=said["currency"], people=tally.counts(), rates=tally.rates()
    )
    del facts["names"]
    return facts


def check_people(bundle: Bundle, facts: Mapping[str, Any]) -> Iterator[Finding]:
    """Check that the people are not more than their names, nor fewer than the files show."""
    said = facts["collection"]
    votes = Counter(vote["qID"] for vote in bundle.rows(VOTES))
    # Nobody votes twice on a question.
    least = {WRITING: min(1, said["written"]), VALIDATING: max(votes.values(), default=0)}
    for work, who in ((WRITING, "writers"), (VALIDATING, "validators")):
        low = max(least[work], said["hourly_pay"][work]["n"])
        high = said.get("names", {}).get(work, said[who])
        if not low <= said[who] <= high:
            text = f"collection.{who}: {said[who]:,}, where the files show {low:,} to {high:,}"
            yield wrong(MANIFEST, text)


def _people_of_earlier(bundle: Bundle) -> PeopleTally:
    """Count people and their times, which stand beside their names before format 4."""
    tally, last = PeopleTally(), ""
    for row in bundle.rows(QUESTIONS):
        before, last = last, row["qID"].rpartition("-")[0]
        if row["settings"] is not None and last != before:
            tally.add(Piece(WRITING, row["writer"], pay=row["pay"], seconds=row["seconds"]))
    for row in bundle.rows(VOTES):
        times = {name: row[name] for name in ("seconds", "seconds_local")}
        tally.add(Piece(VALIDATING, row["validator"], pay=row["pay"], **times))
    return tally


def tally_of(bundle: Bundle, name: str) -> Tally:
    """Count the rows of a split's Parquet file."""
    with bundle.files.open(parquet(name)) as file:
        rows = list(read_parquet(file))
    bases = [row["qID"].rpartition("-")[0] for row in rows]
    tally = Tally()
    for row, base, (before, after) in zip(rows, bases, _neighbours(bases), strict=True):
        published = PublishedRow(
            qid=row["qID"],
            sentence=row["sentence"],
            option1=row["option1"],
            option2=row["option2"],
            answer=int(row["answer"] or 0),
            source_id="",
            swapped=False,
            domain=row["domain"],
        )
        tally.add(published, is_paired=base in (before, after), origin=row["origin"])
    return tally


def _neighbours(bases: list[str]) -> Iterator[tuple[str, str]]:
    padded = ["", *bases, ""]
    return zip(padded, padded[2:], strict=False)


def provenance_of(bundle: Bundle) -> ProvenanceTally:
    """Count the lines of the provenance."""
    votes: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for vote in bundle.rows(VOTES):
        votes[vote["qID"]].append(vote)
    tally = ProvenanceTally()
    for question in bundle.rows(QUESTIONS):
        tally.add(question, votes.get(question["qID"], []))
    return tally


def people_shown(bundle: Bundle) -> set[str]:
    """Return the origins of the people who worked on the questions that are not blind."""
    return {row["people_origin"] for name in (QUESTIONS, VOTES) for row in bundle.rows(name)}


def _leaks(report: dict[str, Any]) -> dict[str, Any]:
    sections = report["sections"]
    tests = sum(
        family["n_tests"]
        for section in sections
        if section["split"] != FILES
        for family in section["publication"]
    )
    texts = [section for section in sections if section.get("text_summary")]
    shares = [
        family["detectable"][0]
        for section in sections
        if section["split"] != FILES
        for family in section["publication"]
        if family["n_tests"]
    ]
    return {
        "tests": tests,
        "detectable": max(shares) if shares and None not in shares else None,
        "found": [section["summary"] for section in sections if section["leaks"]],
        "text_found": [section["text_summary"] for section in texts if section["clues"]],
        "texts": _strongest(family for section in texts for family in section["text"]),
        "alpha": report["alpha"],
    }


def _strongest(families: Iterable[dict[str, Any]]) -> dict[str, float | None]:
    """Return by kind the smallest accuracy that is found with a power of 80 % in any split."""
    shares: dict[str, list[float]] = {}
    for family in families:
        detectable = (share for share in family["detectable"][:1] if share is not None)
        shares.setdefault(KINDS[family["name"]], []).extend(detectable)
    return {kind: min(of, default=None) for kind, of in shares.items()}
