"""What scorers that use no model's probabilities read of an item."""

from typing import Protocol


class Gapped(Protocol):
    """A text with a gap and the options that may fill it; it holds no answer."""

    @property
    def before(self) -> str: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def after(self) -> str: ...
