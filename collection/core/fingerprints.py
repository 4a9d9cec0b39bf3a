"""Fingerprints of twins, to detect the same twin typed differently."""

import hashlib


def fingerprint(sentences: tuple[str, str]) -> str:
    """Return a hash of a pair of sentences that ignores order, case and width of white space.

    Parameters
    ----------
    sentences : (str, str)

    Returns
    -------
    str
        SHA-256 in hex, 64 characters.

    >>> fingerprint(("A  cup.", "A jar.")) == fingerprint(("a jar.", "A cup."))
    True
    """
    folded = sorted(" ".join(sentence.casefold().split()) for sentence in sentences)
    return hashlib.sha256("\n".join(folded).encode("utf-8", "surrogatepass")).hexdigest()
