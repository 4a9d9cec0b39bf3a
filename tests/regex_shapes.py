"""Shapes of regular expressions that take more than linear time on some text."""

import re._constants as c  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

Node = tuple[Any, Any]
Chars = frozenset[str]

# One or more of each kind that a class can tell apart.
ALPHABET = frozenset(map(chr, range(128))) | frozenset("é’“”‘–—…😀\u0301\u200b\u2028\u00a0٣中ı")
MANY = 1_000
"""A repeat of up to this many is a constant."""
REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT)
_IS_OF = {
    c.CATEGORY_DIGIT: str.isdecimal,
    c.CATEGORY_SPACE: str.isspace,
    c.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
}
_NOT = {
    c.CATEGORY_NOT_DIGIT: c.CATEGORY_DIGIT,
    c.CATEGORY_NOT_SPACE: c.CATEGORY_SPACE,
    c.CATEGORY_NOT_WORD: c.CATEGORY_WORD,
}


def ambiguous(pattern: str, flags: int = 0) -> bool:
    """Return whether two repeats, nested or one after the other, can share a run of characters.

    >>> [ambiguous(one) for one in (r".*?[.!?]+$", r"(?:a+)*b", r"\\w+(?:'\\w+)*", r"\\s++\\s*")]
    [True, True, False, False]
    """
    nodes = _nodes(pattern, flags)
    return _has_many(nodes) and any(_ambiguous(nodes, []))


def slow_to_search(pattern: str, flags: int = 0) -> bool:
    """Return whether a search reads a run of one character again from each of its places.

    >>> [slow_to_search(one) for one in (r"\\W+$", r"\\[[^]]*]", r"\\[[^][]*]", r"(?<!\\w)\\w+!")]
    [True, True, False, False]
    """
    nodes = _nodes(pattern, flags)
    return _has_many(nodes) and any(
        _can_fail(rest, char)
        for char in _kinds(nodes)
        for _, rest in _repeats_after(nodes, frozenset(char), in_run=True)
    )


def _nodes(pattern: str, flags: int) -> list[Node]:
    parsed = parser.parse(pattern, flags)
    return _expanded(parsed, bool((parsed.state.flags | flags) & c.SRE_FLAG_IGNORECASE))


def _expanded(parsed: Any, folds: bool) -> list[Node]:
    """Return the nodes as lists and, for single characters, as the set of those that match."""
    found: list[Node] = []
    for kind, value in parsed:
        if kind in (c.LITERAL, c.NOT_LITERAL, c.ANY, c.ANY_ALL, c.IN):
            found.append(("chars", _chars(kind, value, folds)))
        elif kind in (*REPEATS, c.POSSESSIVE_REPEAT):
            found.append((kind, (*value[:2], _expanded(value[2], folds))))
        elif kind is c.SUBPATTERN:
            found += _expanded(value[3], folds)
        elif kind is c.ATOMIC_GROUP:
            found.append((kind, _expanded(value, folds)))
        elif kind is c.BRANCH:
            found.append((kind, [_expanded(one, folds) for one in value[1]]))
        elif kind in (c.ASSERT, c.ASSERT_NOT):
            found.append((kind, (value[0], _expanded(value[1], folds))))
        else:
            found.append((kind, value))
    return found


def _chars(kind: Any, value: Any, folds: bool) -> Chars:
    if kind in (c.ANY, c.ANY_ALL):
        return ALPHABET - {"\n"}
    if kind in (c.LITERAL, c.NOT_LITERAL):
        found = _folded(frozenset(chr(value)), folds)
        return found if kind is c.LITERAL else ALPHABET - found
    parts = [part for part in value if part[0] is not c.NEGATE]
    found = _folded(frozenset().union(*(_part(*part) for part in parts)), folds)
    return ALPHABET - found if len(parts) < len(value) else found


def _part(kind: Any, value: Any) -> Chars:
    if kind is c.LITERAL:
        return frozenset(chr(value))
    if kind is c.RANGE:
        low, high = value
        return frozenset(char for char in ALPHABET if low <= ord(char) <= high) | {chr(low)}
    return _category(value)


@cache
def _category(kind: Any) -> Chars:
    if kind in _NOT:
        return ALPHABET - _category(_NOT[kind])
    return frozenset(filter(_IS_OF[kind], ALPHABET))


def _folded(chars: Chars, folds: bool) -> Chars:
    if not folds:
        return chars
    return chars | {other for char in chars for other in (char.lower(), char.upper())}


def _is_many(node: Node) -> bool:
    return node[0] in (*REPEATS, c.POSSESSIVE_REPEAT) and node[1][1] > MANY


def _kinds(nodes: Sequence[Node]) -> Iterator[str]:
    """Yield one character of each kind that a pattern tells apart."""
    sets = list(_sets(nodes))
    yield from {tuple(char in one for one in sets): char for char in sorted(ALPHABET)}.values()


def _sets(nodes: Sequence[Node]) -> Iterator[Chars]:
    for kind, value in nodes:
        if kind == "chars":
            yield value
        elif kind in (c.ASSERT, c.ASSERT_NOT):
            yield from _sets(value[1])
        for part, _ in _parts((kind, value)):
            yield from _sets(part)


def _has_many(nodes: Sequence[Node]) -> bool:
    parts = (part for node in nodes for part, _ in _parts(node))
    return any(map(_is_many, nodes)) or any(map(_has_many, parts))


def _ambiguous(nodes: Sequence[Node], after: Sequence[Node]) -> Iterator[bool]:
    for place, (kind, value) in enumerate(nodes):
        rest = [*nodes[place + 1 :], *after]
        if kind in REPEATS and value[1] > MANY:
            yield any(True for _ in _repeats_after(rest, _all_chars(value[2])))
        if kind in (*REPEATS, c.POSSESSIVE_REPEAT):
            yield from _ambiguous(value[2], [*value[2], *rest] if value[1] > 1 else rest)
        elif kind is c.BRANCH:
            for one in value:
                yield from _ambiguous(one, rest)
        elif kind is c.ATOMIC_GROUP:
            yield from _ambiguous(value, [])
        elif kind in (c.ASSERT, c.ASSERT_NOT):
            yield from _ambiguous(value[1], [])


def _repeats_after(
    nodes: Sequence[Node], chars: Chars, *, in_run: bool = False
) -> Iterator[tuple[Node, Sequence[Node]]]:
    """Yield the long repeats, with what follows, that a text of some of *chars* can come to."""
    for place, node in enumerate(nodes):
        rest = nodes[place + 1 :]
        for part, _ in _parts(node):
            yield from (
                (
                    (node, [*more, *rest])
                    for node, more in _repeats_after(part, chars, in_run=in_run)
                )
                if not _is_many(node)
                else ()
            )
        if _is_many(node) and _starts(node[1][2], chars):
            yield node, rest
        if _stops(node, chars, in_run):
            return


def _parts(node: Node) -> Iterator[tuple[Sequence[Node], bool]]:
    kind, value = node
    if kind in (*REPEATS, c.POSSESSIVE_REPEAT):
        yield value[2], value[0] > 0
    elif kind is c.ATOMIC_GROUP:
        yield value, True
    elif kind is c.BRANCH:
        yield from ((one, True) for one in value)


def _stops(node: Node, chars: Chars, in_run: bool) -> bool:
    """Return whether no text of *chars* goes on after a node."""
    kind, value = node
    if kind == "chars":
        return not value & chars
    if kind in (*REPEATS, c.POSSESSIVE_REPEAT):
        return value[0] > 0 and any(_stops(one, chars, in_run) for one in value[2])
    if kind is c.ATOMIC_GROUP:
        return any(_stops(one, chars, in_run) for one in value)
    if kind is c.BRANCH:
        return all(any(_stops(one, chars, in_run) for one in branch) for branch in value)
    return in_run and _is_outside(kind, value, chars)


def _is_outside(kind: Any, value: Any, chars: Chars) -> bool:
    """Return whether a condition is never met between two of the same character."""
    if kind is c.AT:
        multiline = value is c.AT_BEGINNING_LINE and chars == {"\n"}
        return value in (c.AT_BEGINNING, c.AT_BEGINNING_STRING, c.AT_BOUNDARY) or (
            value is c.AT_BEGINNING_LINE and not multiline
        )
    if kind in (c.ASSERT, c.ASSERT_NOT) and value[0] < 0 and len(value[1]) == 1:
        found = value[1][0]
        if found[0] == "chars":
            return bool((found[1] >= chars) == (kind is c.ASSERT_NOT))
    return False


def _starts(nodes: Sequence[Node], chars: Chars) -> bool:
    for node in nodes:
        if node[0] == "chars":
            return bool(node[1] & chars)
        if any(_starts(part, chars) for part, _ in _parts(node)):
            return True
        if any(needed for _, needed in _parts(node)):
            return False
    return False


def _all_chars(nodes: Sequence[Node]) -> Chars:
    found: Chars = frozenset()
    for node in nodes:
        if node[0] == "chars":
            found |= node[1]
        for part, _ in _parts(node):
            found |= _all_chars(part)
    return found


def _can_fail(nodes: Sequence[Node], char: str) -> bool:
    """Return whether what follows a repeat may not match, though it can give back a run."""
    for kind, value in nodes:
        if kind == "chars":
            fails = char not in value
        elif kind in (*REPEATS, c.POSSESSIVE_REPEAT):
            fails = value[0] > 0 and _can_fail(value[2], char)
        elif kind is c.BRANCH:
            fails = all(_can_fail(one, char) for one in value)
        else:
            fails = kind is not c.ATOMIC_GROUP or _can_fail(value, char)
        if fails:
            return True
    return False
