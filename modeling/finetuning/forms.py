"""The forms in which a question with a blank is given to a multiple-choice head."""

from __future__ import annotations

from collections.abc import Sequence

BLANK = "_"
FORMS = ("authors", "printed", "square_one")


def texts_of(text: str, options: Sequence[str], form: str = "authors") -> list[tuple[str, str]]:
    """Return a pair of texts for each option.

    Parameters
    ----------
    text : str
        With exactly one blank ``_``.
    options : sequence of str, length k
    form : {'authors', 'printed', 'square_one'}
        ``authors``: the text before the blank; the option and the rest. ``printed``: the text up to
        and including the option; the rest. ``square_one``: the whole text with the option in the
        blank; the option.

    Returns
    -------
    list of k pairs of str
        The tokenizer of the model puts its separators around them.

    Raises
    ------
    ValueError
        When the text has no blank or several, or the form is unknown.

    Notes
    -----
    *Source*: ``authors``: the program published with WinoGrande, which puts a space between option
    and rest, also before an apostrophe or a comma, and whose tokenizer drops the space at the end
    of the first text. ``printed``: the example in WinoGrande §4.1 ("… because the ____ [SEP] is too
    large. [SEP]"). ``square_one``: Back to Square One §4 ("the pronoun is replaced with either one
    of the entities"; "[CLS] context [SEP] entity [SEP]"); its program has the authors' form.

    Examples
    --------
    >>> texts_of("It broke because the _ was old.", ["pot"])
    [('It broke because the', 'pot was old.')]
    >>> texts_of("It broke because the _ was old.", ["pot"], "printed")
    [('It broke because the pot', 'was old.')]
    >>> texts_of("It broke because the _ was old.", ["pot"], "square_one")
    [('It broke because the pot was old.', 'pot')]
    """
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, got {form!r}")
    if text.count(BLANK) != 1:
        raise ValueError(f"text must contain exactly one blank '_', got {text!r}")
    before, after = text.split(BLANK)
    if form == "authors":
        return [(before.strip(), f"{option} {after.strip()}".strip()) for option in options]
    if form == "printed":
        return [(before + option, after.strip()) for option in options]
    return [(before + option + after, option) for option in options]
