"""Ensembles of evaluations of the same items."""

from django.utils.translation import gettext_lazy as _

from evaluation.methods.protocol import ITEMS, STATEMENTS, Answer, Job, Method, Scorer, register

ENSEMBLE, MEAN = "ensemble", "mean_log_probability"
LEFT_OUT = "left out by every member"


def _begin(job: Job) -> Scorer:
    from evaluation.core.ensembles import majority_vote, mean_log_probability

    combine = majority_vote if job.variant == "vote" else mean_log_probability
    answers = combine(job.members)
    return lambda block, _progress: [
        Answer(scores=answers[item.id]) if item.id in answers else Answer(dropped=LEFT_OUT)
        for item in block.items
    ]


register(
    Method(
        name=ENSEMBLE,
        title=_("ensemble"),
        begin=_begin,
        variants={"vote": _("majority vote"), MEAN: _("mean log-probability")},
        reads="members",
        about=(ITEMS, STATEMENTS),
    )
)
