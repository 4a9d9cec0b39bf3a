"""How catalogues call the licences that data sets usually have."""

from dataclasses import dataclass

_CC = "https://creativecommons.org/licenses/{}/"
_URLS = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-2.0": _CC.format("by/2.0"),
    "CC-BY-3.0": _CC.format("by/3.0"),
    "CC-BY-4.0": _CC.format("by/4.0"),
    "CC-BY-SA-3.0": _CC.format("by-sa/3.0"),
    "CC-BY-SA-4.0": _CC.format("by-sa/4.0"),
    "CC-BY-NC-4.0": _CC.format("by-nc/4.0"),
    "CC-BY-NC-SA-4.0": _CC.format("by-nc-sa/4.0"),
    "CC-BY-ND-4.0": _CC.format("by-nd/4.0"),
    "CC-BY-NC-ND-4.0": _CC.format("by-nc-nd/4.0"),
    "Apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "MIT": "https://opensource.org/license/mit",
}


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence with an SPDX identifier.

    ``hub`` is Hugging Face's name of it.
    """

    spdx: str
    url: str

    @property
    def hub(self) -> str:
        return self.spdx.lower()


def spdx_licence(text: str) -> Licence | None:
    """Return the licence with this SPDX identifier in any case, or None.

    >>> spdx_licence("cc-by-4.0").spdx, spdx_licence("ask us")
    ('CC-BY-4.0', None)
    """
    for spdx, url in _URLS.items():
        if text.strip().lower() == spdx.lower():
            return Licence(spdx, url)
    return None
