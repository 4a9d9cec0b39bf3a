"""The parts of guidelines for one kind of work."""

import re

HEADING = re.compile(r"^(#{1,6})\s++(.*)$")
READERS = {"write": "for writers", "validate": "for validators"}


def part_for(text: str, skill: str) -> str:
    """Return guidelines without the sections that are only for another kind of work.

    A section begins with a heading and ends before the next heading of its level or a higher one.
    It is for one kind of work if its heading begins with a phrase of ``READERS``, in any case.

    Parameters
    ----------
    text
        Markdown with headings of the form ``## For writers``.
    skill
        A key of ``READERS``.

    >>> print(part_for("Be kind.\\n## For writers\\nWrite.\\n## For validators\\nRead.", "write"))
    Be kind.
    ## For writers
    Write.
    """
    others = tuple(phrase for name, phrase in READERS.items() if name != skill)
    kept, hidden_level = [], 0
    for line in text.splitlines():
        heading = HEADING.match(line)
        if heading:
            level = len(heading[1])
            if heading[2].casefold().startswith(others):
                hidden_level = min(hidden_level or level, level)
            elif level <= hidden_level:
                hidden_level = 0
        if not hidden_level:
            kept.append(line)
    return "\n".join(kept)
