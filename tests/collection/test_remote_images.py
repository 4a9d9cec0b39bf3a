"""Guidelines load nothing from other sites, which would learn who reads them."""

import pytest
from django.core.exceptions import ValidationError

from collection.services import publish_guideline
from frontend.templatetags.pages import markdown
from tests.factories import CampaignFactory

REMOTE = (
    "![a cat](https://evil.example/cat.png)",
    "![a cat](//evil.example/cat.png)",
    "![a cat][1]\n\n[1]: http://evil.example/cat.png",
    '> - ![a cat](https://evil.example/cat.png "title")',
    "[![a cat](https://evil.example/cat.png)](/help/)",
)
DATA = "![a dot](data:image/gif;base64,R0lGODlhAQABAAAAACw=)"


@pytest.mark.parametrize("field", ["text", "aids_policy"])
@pytest.mark.parametrize("text", REMOTE)
def test_a_remote_image_is_refused(field: str, text: str) -> None:
    fields = {"text": "Be kind.", field: text}
    with pytest.raises(ValidationError, match="Images of other sites are not allowed"):
        publish_guideline(campaign=CampaignFactory(), **fields)


def test_links_and_own_images_are_published() -> None:
    text = f"[a cat](https://example.org/cat.png) ![own](/static/frontend/icon.svg) {DATA}"
    assert publish_guideline(campaign=CampaignFactory(), text=text).text == text


@pytest.mark.parametrize("text", REMOTE)
def test_an_earlier_remote_image_is_its_description(text: str) -> None:
    html = str(markdown(text))
    assert "<img" not in html
    assert "a cat" in html


def test_own_images_and_descriptions_with_signs_are_safe() -> None:
    assert '<img src="data:image/gif' in str(markdown(DATA))
    assert "<b>" not in str(markdown("![<b>](https://evil.example/)"))
