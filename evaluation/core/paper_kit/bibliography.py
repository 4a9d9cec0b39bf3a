"""The references of a paper kit: the release itself, and the works that its texts cite."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.wording import one_line
from tabular.writing import latex

RELEASE = "release"


@dataclass(frozen=True, slots=True)
class Work:
    """A published work; *where* is its journal, book or institution."""

    kind: str
    authors: tuple[str, ...]
    title: str
    where: str
    year: str


WORKS: Mapping[str, Work] = {
    "winogrande": Work(
        "inproceedings",
        ("Sakaguchi, Keisuke", "Le Bras, Ronan", "Bhagavatula, Chandra", "Choi, Yejin"),
        "WinoGrande: An Adversarial Winograd Schema Challenge at Scale",
        "Proceedings of the AAAI Conference on Artificial Intelligence",
        "2020",
    ),
    "datasheets": Work(
        "article",
        ("Gebru, Timnit", "others"),
        "Datasheets for Datasets",
        "Communications of the ACM",
        "2021",
    ),
    "neurips": Work(
        "misc",
        ("{NeurIPS}",),
        "Paper Checklist, and Hosting Guidelines for Evaluations and Datasets",
        "Conference on Neural Information Processing Systems",
        "2026",
    ),
    "human-baselines": Work(
        "inproceedings",
        ("Wei, Kevin L.", "Paskov, Patricia", "others"),
        "Human Baselines in Model Evaluations Need Rigor and Transparency (With Recommendations "
        "and Reporting Checklist)",
        "International Conference on Machine Learning",
        "2025",
    ),
    "betterbench": Work(
        "inproceedings",
        ("Reuel, Anka", "Hardy, Amelia", "others"),
        "BetterBench: Assessing AI Benchmarks, Uncovering Issues, and Establishing Best Practices",
        "Advances in Neural Information Processing Systems, Datasets and Benchmarks",
        "2024",
    ),
    "construct-validity": Work(
        "inproceedings",
        ("Bean, Andrew M.", "Kearns, Ryan Othniel", "others"),
        "Measuring What Matters: Construct Validity in Large Language Model Benchmarks",
        "Advances in Neural Information Processing Systems, Datasets and Benchmarks",
        "2025",
    ),
}
_PLACES = {"inproceedings": "booktitle", "article": "journal", "misc": "howpublished"}


def bibtex(about: Manifest) -> str:
    """Return ``references.bib``."""
    entries = [_entry(RELEASE, "misc", _release(about))]
    for key, work in WORKS.items():
        fields = {
            "author": " and ".join(work.authors),
            "title": f"{{{latex(work.title)}}}",
            _PLACES[work.kind]: latex(work.where),
            "year": work.year,
        }
        entries.append(_entry(key, work.kind, fields))
    return "\n".join(entries)


def _release(about: Manifest) -> dict[str, str]:
    """Return the fields of the release; names are in braces, since their parts are not known."""
    authors = [f"{{{_balanced(name)}}}" for name in about.authors if name.strip()]
    return {
        "author": " and ".join(authors) or "{Unknown}",
        "title": f"{{{_balanced(about.title)}}}",
        "year": about.built_at[:4],
        "version": about.version,
        "note": f"Data set, release {_balanced(about.name)}, version {about.version}",
    }


def _balanced(text: str) -> str:
    r"""Return LaTeX in which a brace of the text is no brace for BibTeX, which counts ``\{`` too.

    >>> _balanced("a{b")
    'a\\char123{}b'
    """
    escaped = latex(one_line(text))
    return escaped.replace(r"\{", r"\char123{}").replace(r"\}", r"\char125{}")


def _entry(key: str, kind: str, fields: Mapping[str, str]) -> str:
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}}}\n"


def thebibliography(about: Manifest) -> str:
    """Return ``main.bbl``, so that one run of LaTeX shows the references, without BibTeX."""
    authors = [latex(one_line(name)) for name in about.authors if name.strip()] or ["Unknown"]
    items = [
        rf"\bibitem{{{RELEASE}}} {', '.join(authors)}. {latex(one_line(about.title))}, version "
        f"{about.version}. {about.built_at[:4]}."
    ]
    for key, work in WORKS.items():
        items.append(
            rf"\bibitem{{{key}}} {_named(work.authors)}. {latex(work.title)}. {latex(work.where)}, "
            f"{work.year}."
        )
    return "\n".join([r"\begin{thebibliography}{9}", *items, r"\end{thebibliography}"]) + "\n"


def _named(authors: Iterable[str]) -> str:
    names = [" ".join(reversed(name.split(", "))) for name in authors]
    return ", ".join("et al." if name == "others" else name for name in names).replace(". ", ".~")
