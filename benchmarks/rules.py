"""How fast twins are checked, how many real ones pass, and how many broken ones are caught.

The crowd's own twins are what the rules were tuned on. Beside them stand those of WinoGrande's
published twins (train_l and dev) that are not among these: nobody tuned to them.

The baseline is what one would write first: a yes or no from a set-Jaccard overlap and a few
regular expressions, without difference, places, messages or domain warnings. Beside it stands the
difference alone, as the standard library's difflib makes it. All run on the same real twins.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from statistics import median

from benchmarks.report import parse_args, peak_mb, result, table, timed
from benchmarks.twins import published_twins
from collection.core.fingerprints import fingerprint
from collection.core.rules import TwinDraft, check_twin
from tests.authoring_data import AUTHORING_FILE, read_authoring
from tests.breakers import BREAKERS
from tests.data_dir import data_dir

PUBLISHED = ("train_l", "dev")
QUICK_TWINS = 2_000
REPEATS = 5


def naive_check(draft: TwinDraft) -> bool:
    """Accept or refuse twins the short way: the baseline."""
    first, second = (set(sentence.lower().split()) for sentence in draft.sentences)
    return (
        all(_naive_sentence(draft, sentence) for sentence in draft.sentences)
        and 0.7 <= len(first & second) / len(first | second) < 1
        and draft.options[0].lower() != draft.options[1].lower()
        and draft.answers[0] != draft.answers[1]
    )


def _naive_sentence(draft: TwinDraft, sentence: str) -> bool:
    return (
        15 <= len(re.findall(r"\S+", sentence)) <= 30
        and len(re.findall("_", sentence)) == 1
        and all(
            re.search(re.escape(phrase), sentence, re.IGNORECASE)
            for phrase in (*draft.options, draft.anchor or "")
        )
    )


def difflib_diff(draft: TwinDraft) -> list[tuple[str, int, int, int, int]]:
    """Return the words that differ, as difflib finds them."""
    first, second = (sentence.split() for sentence in draft.sentences)
    return SequenceMatcher(None, first, second, autojunk=False).get_opcodes()


def held_out(tuned_to: Sequence[TwinDraft]) -> list[TwinDraft]:
    """Return the published twins that are not among those the rules were tuned on."""
    known = {fingerprint(draft.sentences) for draft in tuned_to}
    published = (draft for name in PUBLISHED for draft in published_twins(name))
    found = {fingerprint(draft.sentences): draft for draft in published}
    return [draft for name, draft in found.items() if name not in known]


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "")
    path = data_dir() / AUTHORING_FILE
    if not path.is_file():
        raise SystemExit(f"This benchmark needs {path}; set WINO_DATA_DIR to the folder of data.")
    drafts = list(read_authoring(path))
    others = held_out(drafts)
    if args.quick:
        drafts = drafts[:: max(1, len(drafts) // QUICK_TWINS)]
    speeds = show_speed(drafts)
    accepted = show_acceptance(drafts)
    accepted_held_out = show_acceptance(others)
    rejected = show_broken(accepted)
    result(
        twins=len(drafts),
        twins_per_s=round(speeds["checker"]),
        naive_per_s=round(speeds["naive"]),
        difflib_per_s=round(speeds["difflib"]),
        accepted_share=round(len(accepted) / len(drafts), 5),
        held_out_twins=len(others),
        held_out_accepted_share=round(len(accepted_held_out) / len(others), 5),
        broken_rejected_share=round(rejected, 5),
        peak_mb=round(peak_mb()),
    )


def show_speed(drafts: Sequence[TwinDraft]) -> dict[str, float]:
    """Print twins per second of the checker and of the baselines; return them by name."""
    check_twin(drafts[0])  # so that no first import or cache counts
    contestants: dict[str, Callable[[TwinDraft], object]] = {
        "checker": check_twin,
        "naive": naive_check,
        "difflib": difflib_diff,
    }
    speeds = {name: _speed(check, drafts) for name, check in contestants.items()}
    rows = [
        (name, f"{speed:,.0f}", f"{1e6 / speed:.0f}", f"{speeds['naive'] / speed:.2f}")
        for name, speed in speeds.items()
    ]
    table(("way", "twins/s (median)", "µs/twin", "time ÷ naive"), rows)
    return speeds


def _speed(check: Callable[[TwinDraft], object], drafts: Sequence[TwinDraft]) -> float:
    def run() -> None:
        for draft in drafts:
            check(draft)

    return len(drafts) / median(timed(run, repeats=REPEATS))


def show_acceptance(drafts: Sequence[TwinDraft]) -> list[TwinDraft]:
    """Print how many real twins pass and why the others do not; return those that pass."""
    reports = [(draft, check_twin(draft)) for draft in drafts]
    accepted = [draft for draft, report in reports if report.accepted]
    naive = sum(map(naive_check, drafts))
    rows = [("checker", *_share(len(accepted), drafts)), ("naive", *_share(naive, drafts))]
    table(("way", "real twins accepted", "share"), rows)
    refused = [(draft, report) for draft, report in reports if not report.accepted]
    counts = Counter(
        code for _, report in refused for code in sorted({item.code for item in report.errors})
    )
    table(("refused because", "twins"), counts.most_common())
    for draft, report in refused:
        print(f"  anchor {draft.anchor!r}: {report.errors[0].message}")
    return accepted


def show_broken(accepted: Sequence[TwinDraft]) -> float:
    """Print how many twins are refused once broken in one way; return the share over all ways."""
    total = 0
    rows = []
    for name, breaker in BREAKERS.items():
        reports = [check_twin(breaker(draft)) for draft in accepted]
        refused = sum(not report.accepted for report in reports)
        named = sum(breaker.code in report.codes for report in reports)
        total += refused
        rows.append((name, *_share(refused, accepted), breaker.code, *_share(named, accepted)[1:]))
    table(("broken by", "refused", "share", "expected code", "given"), rows)
    return total / (len(accepted) * len(BREAKERS))


def _share(count: int, of: Sequence[object]) -> tuple[str, str]:
    return f"{count:,} of {len(of):,}", f"{count / len(of):.2%}"


if __name__ == "__main__":
    main()
