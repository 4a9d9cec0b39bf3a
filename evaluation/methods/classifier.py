"""A classifier that learns from reasons which statements are true; trained for each seed.

Source: WinoLogic (EMNLP 2021), section 5.3.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from evaluation.methods.protocol import STATEMENTS, Job, Method, Scorer, register

CLASSIFIER = "classifier"


def _begin(job: Job) -> Scorer:
    raise ValueError("A classifier answers statements, not questions with options.")


register(
    Method(
        name=CLASSIFIER,
        title=_("classifier trained on reasons"),
        begin=_begin,
        use="pooled",
        about=(STATEMENTS,),
    )
)
