"""A reader of LaTeX tables that stops where LaTeX would."""

import re

TOKEN = re.compile(r"\\\\(?=\s*[*\[])|\\[a-zA-Z]+|\\.|[{}&$%^_#~]|[^\\{}&$%^_#~]+", re.DOTALL)
RULES = (r"\toprule", r"\midrule", r"\bottomrule")


def parsed(text):
    """Return the rows of the one ``tabular`` in *text*, as lists of cells of raw LaTeX.

    A cell that spans columns is repeated. Raises AssertionError for what LaTeX refuses: another
    number of cells than columns, unbalanced braces or mathematics, and stray special characters.
    """
    lines = [line for line in text.splitlines() if not line.startswith("%")]
    body = "\n".join(lines)
    begin = re.match(r"\\begin\{tabular\}\{([lrc]+)\}\n", body)
    assert begin, body[:80]
    end = "\\end{tabular}"
    assert body.rstrip().endswith(end)
    inner = body.rstrip()[begin.end() : -len(end)]
    assert r"\begin" not in inner
    rows = [_cells(row) for row in _rows(inner)]
    widths = {len(row) for row in rows}
    assert widths <= {len(begin[1])}, (widths, begin[1])
    return rows


def _rows(inner):
    for rule in RULES:
        inner = inner.replace(rule + "\n", "")
    rows = inner.split("\\\\\n")
    assert rows.pop().strip() == ""
    assert not [row for row in rows[1:] if row.lstrip().startswith(("*", "["))]
    return rows


def _cells(row):
    cells, depth, in_math, part = [], 0, False, ""
    tokens = TOKEN.findall(row)
    assert "".join(tokens) == row
    for token in tokens:
        assert token not in ("%", "#", "~"), row
        depth += (token == "{") - (token == "}")
        assert depth >= 0, row
        in_math ^= token == "$"
        assert in_math or token not in ("^", "_"), row
        if token == "&" and not depth:
            cells += _spanned(part)
            part = ""
        else:
            part += token
    assert (depth, in_math) == (0, False), row
    return cells + _spanned(part)


def _spanned(part):
    found = re.fullmatch(r"\\multicolumn\{(\d+)\}\{[lrc]\}\{(.*)\}", part.strip(), re.DOTALL)
    return [found[2]] * int(found[1]) if found else [part.strip()]
