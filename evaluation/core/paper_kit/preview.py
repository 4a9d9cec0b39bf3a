"""The document of a paper kit that LaTeX makes a PDF of."""

import unicodedata
from collections.abc import Iterable, Sequence

from corpora.core.bundle.wording import one_line
from evaluation.core.paper_kit.figures import KitFigure
from evaluation.core.paper_kit.tables import KitTable
from tabular.writing import latex

_PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[a4paper,margin=24mm]{geometry}
\usepackage{graphicx}
\IfFileExists{booktabs.sty}{\usepackage{booktabs}}{%
  \newcommand{\toprule}{\hline}\newcommand{\midrule}{\hline}\newcommand{\bottomrule}{\hline}}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\setlength{\belowcaptionskip}{6pt}
\renewcommand{\labelitemi}{$\bullet$}
\sloppy
"""
# What the fonts of LaTeX's default encoding have beside ASCII.
_SIGNS = frozenset("ßøØæÆœŒłŁ–—‘’“”…¡¿")
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")


def preview(
    title: str, tables: Sequence[KitTable], figures: Sequence[KitFigure], *, texts: Iterable[str]
) -> str:
    """Return ``main.tex``.

    Parameters
    ----------
    title : str
    tables, figures : sequences
        Those of the kit.
    texts : iterable of str
        All other texts of the document: a character in them that pdfTeX's default fonts lack is
        replaced by its letter without accents, or by its number. Only here: the parts keep it.
    """
    parts = [
        r"\begin{document}",
        rf"\section*{{{latex(one_line(title))}}}",
        r"\input{methods}",
        *map(_table, tables),
        *map(_figure, figures),
        r"\clearpage",
        r"\section*{Checklists}",
        r"\input{checklists}",
        r"\nocite{*}",
        r"\bibliographystyle{plain}",
        r"\bibliography{references}",
        r"\end{document}",
    ]
    body = "\n".join(parts) + "\n"
    return _PREAMBLE + _declared([body, *texts]) + body


def _table(one: KitTable) -> str:
    return (
        "\\begin{table}[htbp]\n\\centering\\small\n"
        rf"\caption{{{latex(one.caption)}}}" + "\n"
        rf"\resizebox{{\ifdim\width>\linewidth\linewidth\else\width\fi}}{{!}}{{\input{{tables/{one.name}}}\unskip}}"
        "\n\\end{table}"
    )


def _figure(one: KitFigure) -> str:
    return (
        "\\begin{figure}[htbp]\n\\centering\n"
        rf"\includegraphics{{figures/{one.name}.pdf}}" + "\n"
        rf"\caption{{{latex(one.caption)}}}" + "\n\\end{figure}"
    )


def _declared(texts: Iterable[str]) -> str:
    chars = sorted({char for text in texts for char in text if not char.isascii()})
    return "".join(
        rf"\DeclareUnicodeCharacter{{{ord(char):04X}}}{{{_replacement(char)}}}" + "\n"
        for char in chars
        if not _has(char)
    )


def _has(char: str) -> bool:
    letter, *marks = list(unicodedata.normalize("NFD", char))
    is_accented = letter.isascii() and letter.isalpha() and len(marks) == 1 and marks[0] in _ACCENTS
    return char in _SIGNS or is_accented


def _replacement(char: str) -> str:
    plain = "".join(one for one in unicodedata.normalize("NFKD", char) if one.isascii())
    if plain.strip() and plain.isalnum():
        return plain
    return "" if unicodedata.category(char) in ("Mn", "Cf", "Zs") else f"[U+{ord(char):04X}]"
