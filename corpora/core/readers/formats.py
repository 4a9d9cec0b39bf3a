"""The formats of reference sets: how each is read, and what is known of the published set."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from corpora.core.items import Item
from corpora.core.readers import (
    copa,
    dpr,
    knowref,
    mask_records,
    records,
    schemas,
    superglue,
    winobias,
    winogender,
    winogrande,
    wsc285,
)
from corpora.core.readers import table as tables
from corpora.core.readers.lines import Skipped

Reader = Callable[..., Iterator[Item | Skipped]]
MAIN = "lines"
"""The part that is a split's only file, unless the format has several."""
CC_BY = "CC BY 4.0"
TRICHELAIR = {
    "associative": "WSC_associative_label.json",
    "switchable": "WSC_switched_label.json",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format of reference sets.

    Parameters
    ----------
    about : str
        For people: what the file looks like.
    read : callable
        Takes the lines of each part by its name, ``lines`` for the main one, and yields items.
    required, optional : tuple of str
        The parts of a split.
    files : mapping of str to str
        The published names of the parts' files, with ``{split}`` for the split's name; empty for
        formats with one file.
    is_grouped : bool
        Whether the files hold questions in groups of two or more.
    has_columns : bool
        Whether ``read`` takes a mapping of columns.
    is_table : bool
        Whether ``read`` takes a file that is a table, and not lines of text.
    read_table : callable, optional
        Reads the questions where they are published as a table too; takes the main file.
    encoding : str
        Of the published files that are no tables.
    title, licence, source : str
        Defaults for an imported set; empty for formats that any set may have.
    """

    about: str
    read: Reader
    required: tuple[str, ...] = (MAIN,)
    optional: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    is_grouped: bool = False
    has_columns: bool = False
    is_table: bool = False
    read_table: Reader | None = None
    encoding: str = "utf-8"
    title: str = ""
    licence: str = ""
    source: str = ""


BY_NAME = {
    "items": Format(
        about="JSON lines as a snapshot holds them: id, group, sentence, options, answer",
        read=records.read_items,
        is_table=True,
    ),
    "table": Format(
        about="CSV, JSON lines or a JSON array, by a mapping of columns",
        read=tables.read_table,
        has_columns=True,
        is_table=True,
    ),
    "winogrande": Format(
        about="JSON lines or CSV with qID, sentence, option1, option2, answer; qIDs group the "
        "twins, and without any (Hugging Face) their text does",
        read=winogrande.read_winogrande,
        is_grouped=True,
        is_table=True,
    ),
    "wsc273": Format(
        about="the text records of wsc273.txt, or Hugging Face’s columns; neighbouring records "
        "group the schemas",
        read_table=schemas.read_wsc273_table,
        read=mask_records.read_wsc273,
        optional=tuple(TRICHELAIR),
        files={MAIN: "wsc273.txt", **TRICHELAIR},
        is_grouped=True,
        title="Winograd Schema Challenge (273)",
        licence=CC_BY,
        source="Levesque, Davis and Morgenstern 2012, “The Winograd Schema Challenge”. Labels "
        "“associative” and “switchable”: Trichelair et al. 2019.",
    ),
    "wsc285": Format(
        about="WSCollection.xml, in ISO-8859-1, or Hugging Face’s columns; neighbouring "
        "questions group the schemas",
        read_table=schemas.read_wsc285_table,
        read=wsc285.read_wsc285,
        optional=tuple(TRICHELAIR),
        files={MAIN: "WSCollection_285.xml", **TRICHELAIR},
        is_grouped=True,
        encoding="iso-8859-1",
        title="Winograd Schema Challenge (285)",
        licence=CC_BY,
        source="Levesque, Davis and Morgenstern 2012, “The Winograd Schema Challenge”, the "
        "collection with its later questions. Labels “associative” and “switchable”: Trichelair "
        "et al. 2019.",
    ),
    "pdp": Format(
        about="the text records of PDP60.txt; no groups",
        read=partial(mask_records.read_mask_records, name="pdp"),
        title="Pronoun Disambiguation Problems (60)",
        licence=CC_BY,
        source="Morgenstern, Davis and Ortiz 2016, “Planning, Executing, and Evaluating the "
        "Winograd Schema Challenge”.",
    ),
    "dpr": Format(
        about="the text records of train.c.txt and test.c.txt; neighbours are twins",
        read=dpr.read_dpr,
        is_grouped=True,
        title="Definite Pronoun Resolution",
        licence="not stated; distributed for research",
        source="Rahman and Ng 2012, “Resolving Complex Cases of Definite Pronouns: The Winograd "
        "Schema Challenge”.",
    ),
    "superglue_wsc": Format(
        about="SuperGLUE's JSON lines with text, target, idx, label, or Hugging Face's columns; "
        "true or false",
        read=superglue.read_superglue_wsc,
        is_grouped=True,
        is_table=True,
        title="SuperGLUE Winograd Schema Challenge",
        licence=CC_BY,
        source="Wang et al. 2019, “SuperGLUE: A Stickier Benchmark for General-Purpose Language "
        "Understanding Systems”.",
    ),
    "knowref": Format(
        about="the JSON array of knowref_test.json; one original sentence is a group",
        read=knowref.read_knowref,
        is_grouped=True,
        is_table=True,
        title="KnowRef, test set",
        licence="CC BY-SA 3.0",
        source="Emami et al. 2019, “The KnowRef Coreference Corpus: Removing Gender and Number "
        "Cues for Difficult Pronominal Anaphora Resolution”.",
    ),
    "copa": Format(
        about="JSON lines with premise, choice1, choice2, question, label, or with query, choices, "
        "gold; no groups",
        read=copa.read_copa,
        is_table=True,
        title="Choice of Plausible Alternatives, validation set of SuperGLUE",
        licence="BSD-2-Clause",
        source="Roemmele, Bejan and Gordon 2011, “Choice of Plausible Alternatives: An Evaluation "
        "of Commonsense Causal Reasoning”.",
    ),
    "balanced_copa": Format(
        about="balanced-copa-dev-all.xml; a question and its mirrored one are a group",
        read=copa.read_balanced_copa,
        is_grouped=True,
        title="Balanced COPA, development set with its mirrored questions",
        licence="BSD-2-Clause (COPA); not stated for the mirrored questions",
        source="Kavumba et al. 2019, “When Choosing Plausible Alternatives, Clever Hans can be "
        "Clever”.",
    ),
    "winogender": Format(
        about="all_sentences.tsv; the genders of a sentence are a group",
        read=winogender.read_winogender,
        optional=("occupations",),
        files={MAIN: "all_sentences.tsv", "occupations": "occupations-stats.tsv"},
        is_grouped=True,
        title="Winogender schemas",
        licence="MIT",
        source="Rudinger et al. 2018, “Gender Bias in Coreference Resolution”.",
    ),
    "winobias": Format(
        about="the four files of a split and the lists of occupations; a sentence for and against "
        "the stereotype is a group",
        read=winobias.read_winobias,
        required=("pro1", "anti1", "pro2", "anti2", "female", "male"),
        files={
            "pro1": "pro_stereotyped_type1.txt.{split}",
            "anti1": "anti_stereotyped_type1.txt.{split}",
            "pro2": "pro_stereotyped_type2.txt.{split}",
            "anti2": "anti_stereotyped_type2.txt.{split}",
            "female": "female_occupations.txt",
            "male": "male_occupations.txt",
        },
        is_grouped=True,
        title="WinoBias",
        licence="MIT",
        source="Zhao et al. 2018, “Gender Bias in Coreference Resolution: Evaluation and Debiasing "
        "Methods”.",
    ),
}
"""Formats by the name that commands and the API use."""
