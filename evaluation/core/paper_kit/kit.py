"""Put a paper kit together from a release's bundle alone."""

from collections.abc import Mapping, Sequence

from collection.core.people import sentences
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.reading import Bundle
from corpora.core.bundle.wording import bullets, code, count, markdown, one_line
from corpora.core.notices import ReleaseNotice
from evaluation.core.paper_kit import checklists, tables
from evaluation.core.paper_kit.bibliography import bibtex, thebibliography
from evaluation.core.paper_kit.facts import KitFacts, read_facts
from evaluation.core.paper_kit.figures import KitFigure, figures
from evaluation.core.paper_kit.methods import methods
from evaluation.core.paper_kit.preview import preview
from evaluation.core.paper_kit.prose import document

KIT: Mapping[str, str] = {
    "README.md": "this list, and what the checklists ask and the release does not answer",
    "methods.tex": "the methods section; `verify --text` checks its numbers",
    "methods.md": "the same in Markdown",
    "tables.md": "all tables in Markdown; those in LaTeX are in `tables/`",
    "checklists.md": "checklists with pointers into the release",
    "checklists.tex": "the same in LaTeX",
    "datasheet.md": "the datasheet of the release's card",
    "references.bib": "the release, and the works that the texts cite",
    "main.tex": "all of it in one document, for `pdflatex main`",
    "main.bbl": "its references, so that BibTeX is not needed",
}
"""The files of every kit, besides ``tables/*.tex`` and ``figures/*.pdf``."""


def paper_kit(bundle: Bundle, notices: Sequence[ReleaseNotice] = ()) -> dict[str, bytes]:
    """Return the files of a kit by name; equal bundles and notices give equal bytes.

    Parameters
    ----------
    bundle : Bundle
        The public files of a release of questions.
    notices : sequence of ReleaseNotice, optional
        Its errata and its retraction, which stand first in every document.

    Raises
    ------
    ValueError
        When the manifest is not that of a release, or a file cannot be read.
    """
    facts = read_facts(bundle, notices)
    about, top = facts.manifest, _top(facts)
    found, sections = checklists.answers(bundle), methods(facts)
    made, drawn = tables.tables(facts), figures(facts)
    settings = tables.settings(about)
    made += [settings] if settings.rows else []
    notes = (_source(about), *top)
    texts = {
        "methods.tex": document(sections, "tex", about=notes),
        "methods.md": document(sections, "md", about=notes),
        "tables.md": "\n".join((*_bold(top), *map(tables.to_markdown, made))),
        "checklists.md": checklists.to_markdown(found, top=top),
        "checklists.tex": checklists.to_latex(found, top=top),
        "datasheet.md": "\n".join((*_bold(top), _datasheet(facts))),
        "references.bib": bibtex(about),
        "main.bbl": thebibliography(about),
        **{f"tables/{one.name}.tex": tables.to_latex(one, about=notes) for one in made},
    }
    texts["main.tex"] = preview(
        f"{about.title}: methods", made, drawn,
        texts=[text for name, text in texts.items() if not name.endswith(".md")],
    )  # fmt: skip
    texts["README.md"] = _readme(about, top, checklists.gaps(found), drawn)
    files = {name: text.encode() for name, text in texts.items()}
    files |= {f"figures/{one.name}.pdf": one.content for one in drawn}
    return {name: files[name] for name in sorted(files)}


def _source(about: Manifest) -> str:
    return f"Made from the release {about.name}, version {about.version}."


def _top(facts: KitFacts) -> list[str]:
    """Return what is said first: errata, a retraction, and that it is a demonstration."""
    people = facts.manifest.people
    notices = [f"{notice.heading}: {one_line(notice.text)}" for notice in facts.notices]
    if not people.is_simulated:
        return notices
    return [*notices, "This release is a demonstration.", *sentences(people)]


def _bold(lines: Sequence[str]) -> list[str]:
    return [f"**{markdown(line)}**\n" for line in lines]


def _datasheet(facts: KitFacts) -> str:
    """Return the datasheet as the card has it."""
    begin = facts.card.find("## Datasheet\n")
    return facts.card[begin:] if begin >= 0 else "The card of the release has no datasheet.\n"


def _readme(
    about: Manifest,
    top: Sequence[str],
    gaps: Mapping[str, Sequence[str]],
    drawn: Sequence[KitFigure],
) -> str:
    titles = {one.name: one.title for one in checklists.checklists()}
    blocks = [
        f"# Paper kit of {markdown(about.title)}",
        *_bold(top),
        markdown(_source(about)) + " Every figure comes from its public files.",
        bullets(f"{code(name)}: {text}" for name, text in KIT.items()),
        bullets(f"{code(f'figures/{one.name}.pdf')}: {one.caption}" for one in drawn),
        "Edit the words of the methods section as you like. Keep the comments that begin with "
        "`%@` or `<!-- @`: by them `manage.py verify RELEASE.zip --text methods.tex` knows which "
        "sentence has which numbers. It names each sentence whose numbers differ from what the "
        "release tells. The text of figures is in Helvetica, which is not embedded.",
        "## What nobody answered",
        *(
            f"{titles[name]}: {count(len(of), 'question')}\n\n"
            + bullets(markdown(text) for text in of)
            for name, of in gaps.items()
            if of
        ),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"
