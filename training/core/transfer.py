"""Transfer as published: what is trained on, in which order, and what is then scored.

Sets have the names under which the documentation imports them. The two derived sets have parts of
exact sizes, drawn by our seed since the papers publish no files:

- ``dpr-parts``: DPR's 1,322 training questions as 1,200 to train on and 122 for dev, pairs whole
  (the paper prints 1,332, a misprint: its parts have 1,322 together);
- ``copa-parts``: the 500 questions of COPA's development set as 400 and 100.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

SEED = 0  # of the derived sets


@dataclass(frozen=True, slots=True)
class Part:
    """Splits of a set, joined by ``+``, and how many questions they have together.

    ``size`` is None where it depends on the release that is used as the resource.
    """

    set: str
    split: str
    size: int | None = None

    def __str__(self) -> str:
        return f"{self.set} {self.split}"


@dataclass(frozen=True, slots=True)
class Derived:
    """A set made of a split of another one, in two parts.

    ``only`` selects items by their metadata.
    """

    name: str
    title: str
    of: str
    split: str
    n_train: int
    n_dev: int
    only: Mapping[str, object] = field(default_factory=dict)


DERIVED: Mapping[str, Derived] = {
    derived.name: derived
    for derived in (
        Derived("dpr-parts", "DPR, 1,200 to train on and 122 for dev", "dpr", "train", 1200, 122),
        Derived("copa-parts", "COPA, 400 to train on and 100 for dev", "balanced-copa", "dev",
                400, 100, only={"mirrored": False}),
    )
}  # fmt: skip

RESOURCE = "winogrande"  # replaced by the release or the set that is used as the resource
# Beginnings of sets' names, longest first, and the names in published tables.
SECTIONS = {
    "superglue-wsc": "superglue_wsc",
    "balanced-copa": "copa",
    "winogender": "winogender",
    "winogrande": RESOURCE,
    "knowref": "knowref",
    "wsc273": "wsc",
    "copa": "copa",
    "dpr": "dpr",
    "pdp": "pdp",
}
WSC = Part("wsc273", "test", 273)
PDP = Part("pdp", "test", 60)
DPR_TEST = Part("dpr", "test", 564)
KNOWREF = Part("knowref", "test", 1267)
COPA_VAL = Part("copa", "val", 100)
COPA_HELD_OUT = Part("copa-parts", "dev", 100)
WINOGENDER = Part("winogender", "test", 720)
SUPERGLUE_VAL = Part("superglue-wsc", "val", 104)
RESOURCE_DEV = Part(RESOURCE, "dev")
DPR_PARTS_DEV = Part("dpr-parts", "dev", 122)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One system of a paper's table.

    Parameters
    ----------
    name, title : str
    train : Part
    before : str
        The setting whose model it starts from; empty for the encoder as published.
    dev : Part, optional
        By which the epoch is chosen. Without it the last epoch's weights are kept.
    targets : tuple of Part
        What it is scored on.
    """

    name: str
    title: str
    train: Part
    before: str = ""
    dev: Part | None = None
    targets: tuple[Part, ...]


def _after(
    *settings: str, name: str, title: str, train: Part, target: Part, dev: Part | None = None
) -> Iterator[Setting]:
    """Yield the training on a set after each of some settings; after none if it is empty."""
    for one in settings:
        yield Setting(
            name=f"{one}-{name}" if one else name,
            title=f"{FIRST[one]}, then {title}" if one else title,
            train=train,
            before=one,
            dev=dev,
            targets=(target,),
        )


FIRST = {"winogrande": "WinoGrande", "dpr": "DPR"}
SETTINGS: Mapping[str, Setting] = {
    one.name: one
    for one in (
        Setting(
            name="winogrande",
            title="WinoGrande (train and dev)",
            train=Part(RESOURCE, "train+dev"),
            targets=(WSC, PDP, DPR_TEST, KNOWREF, COPA_VAL, COPA_HELD_OUT, WINOGENDER,
                     SUPERGLUE_VAL),
        ),
        Setting(
            name="dpr",
            title="DPR (train and test)",
            train=Part("dpr", "train+test", 1886),
            targets=(WSC, PDP, KNOWREF, WINOGENDER, COPA_VAL, SUPERGLUE_VAL, RESOURCE_DEV),
        ),
        *_after("", "winogrande", name="dpr-ft", title="DPR (1,200)", dev=DPR_PARTS_DEV,
                train=Part("dpr-parts", "train", 1200), target=DPR_TEST),
        *_after("", "winogrande", name="copa-ft", title="COPA (400)",
                train=Part("copa-parts", "train", 400), target=COPA_HELD_OUT),
        *_after("dpr", "winogrande", name="superglue-ft", title="SuperGLUE-WSC",
                train=Part("superglue-wsc", "train", 554), target=SUPERGLUE_VAL),
        Setting(
            name="arxiv-winogrande",
            title="WinoGrande, arXiv v1",
            train=Part(RESOURCE, "train"),
            dev=RESOURCE_DEV,
            targets=(WSC, PDP, Part("dpr", "train", 1322), DPR_TEST, COPA_HELD_OUT,
                     Part("copa-parts", "train", 400), WINOGENDER, RESOURCE_DEV),
        ),
        Setting(
            name="arxiv-dpr",
            title="DPR, arXiv v1 (before WinoGrande)",
            train=Part("dpr", "train", 1322),
            targets=(WSC, PDP),
        ),
        Setting(
            name="arxiv-dpr-winogrande-ft",
            title="DPR, then WinoGrande, arXiv v1",
            train=Part(RESOURCE, "train"),
            before="arxiv-dpr",
            dev=RESOURCE_DEV,
            targets=(RESOURCE_DEV,),
        ),
    )
}  # fmt: skip

TUNED_ON: Mapping[str, str] = {
    str(WSC): str(PDP),
    str(PDP): str(WSC),
    str(DPR_TEST): "dpr train",
    str(COPA_HELD_OUT): "copa-parts train",
    str(WINOGENDER): str(RESOURCE_DEV),
}
"""arXiv v1, §6: by target, the set on which the settings are chosen. WSC and PDP choose for each
other; DPR and COPA have training sets, which choose; Winogender has WinoGrande's dev."""


def with_those_before(names: tuple[str, ...]) -> list[Setting]:
    """Return settings and those that they start from, each once, in the order of training.

    Raises
    ------
    ValueError
        When a name is unknown.

    Examples
    --------
    >>> [one.name for one in with_those_before(("winogrande-dpr-ft",))]
    ['winogrande', 'winogrande-dpr-ft']
    """
    if unknown := [name for name in names if name not in SETTINGS]:
        raise ValueError(f"settings must be of {', '.join(SETTINGS)}, got {', '.join(unknown)}")
    needed = set(names)
    for name in names:
        while name := SETTINGS[name].before:
            needed.add(name)
    return [setting for setting in SETTINGS.values() if setting.name in needed]


def section_of(name: str) -> str:
    """Return the name in published tables of a set; its own if they do not have it.

    >>> section_of("wsc273"), section_of("copa-parts"), section_of("mine")
    ('wsc', 'copa', 'mine')
    """
    return next((section for start, section in SECTIONS.items() if name.startswith(start)), name)
