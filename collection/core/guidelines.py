"""The parts of guidelines for one kind of work."""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

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


def is_own_image(source: str) -> bool:
    """Return whether an image is part of the text or of this site, so that no other host is asked.

    >>> is_own_image("data:image/png;base64,AA=="), is_own_image("/static/a.png")
    (True, True)
    >>> is_own_image("https://example.org/a.png"), is_own_image("//example.org/a.png")
    (False, False)
    """
    is_path = source.startswith("/") and not source.startswith(("//", "/\\"))
    return is_path or source.startswith("data:image/")


def remote_images(text: str) -> list[str]:
    """Return the addresses of a Markdown text's images that are on other hosts.

    >>> remote_images("![a](https://example.org/a.png) ![b](/static/b.png)")
    ['https://example.org/a.png']
    """
    sources = (str(token.attrs.get("src", "")) for token in _images(MarkdownIt().parse(text)))
    return [source for source in sources if not is_own_image(source)]


def _images(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type == "image":
            yield token
        yield from _images(token.children or [])
