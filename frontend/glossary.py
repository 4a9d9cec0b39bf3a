"""Terms of the papers, each explained in a sentence or two."""

from django.utils.translation import gettext_lazy as _

TERMS = {
    "doubt": _(
        "How much the votes differ, as the smaller side's share of them: 1 of 3 is 33%. If all "
        "chose the author's answer and the question is valid, other differences count a third. "
        "Reported and appealed questions are always in doubt."
    ),
    "author_correct": _(
        "The estimated probability that the author's answer is right, from the votes and from how "
        "often each validator is right elsewhere, by the simplest of three models that predicts "
        "this campaign's votes about as well as the best. It is advice: the verdict does not use "
        "it."
    ),
    "local_context": _(
        "The words from two before the blank to the end of the sentence. If most validators know "
        "the answer from them alone, the question is not valid (WinoGrande, section 3)."
    ),
    "aflite": _(
        "Lightweight adversarial filtering: many small linear models are trained on parts of the "
        "questions, and the questions that they answer best are removed, phase by phase "
        "(WinoGrande, section 4)."
    ),
    "cutoff": _(
        "τ, the share of models that must answer a question rightly before it may be removed."
    ),
    "d1": _(
        "The first principal component of the questions' features. If the two labels lie apart on "
        "it, a linear model can guess the answers (WinoGrande, section 5)."
    ),
    "neutral": _(
        "Questions are removed only until fresh linear models are right on one half, and none if "
        "they are not found to be above one half at first. A bias that is too small to be found, "
        "or that linear models cannot use, stays."
    ),
    "alpha": _(
        "Krippendorff's alpha: how much validators agree beyond chance, from the first votes on "
        "each question. 1 is full agreement, 0 is chance; from 0.80 on, data is considered "
        "reliable."
    ),
    "kappa": _(
        "Fleiss' kappa: agreement beyond chance among questions with equally many votes. 1 is full "
        "agreement, 0 is chance."
    ),
    "pmi": _(
        "Pointwise mutual information: how much more often a word comes with one answer than it "
        "would by chance. A frequent word far from 0 reveals answers."
    ),
    "agrees_author": _(
        "The share of a validator's counted votes for the author's answer. Answers to control "
        "questions and excluded votes do not count. Authors err too, so it is no accuracy."
    ),
    "agrees_others": _(
        "The share of a validator's votes that agree with most of the other first votes on the "
        "question. Questions on which the others tie are left out, and extra votes, as these are "
        "on contested questions."
    ),
    "control_questions": _(
        "The share of a validator's answers to control questions that are right: the author's "
        "answer, and not marked as ambiguous."
    ),
    "agrees_valid": _(
        "The share of a validator's newest 300 votes in the campaign for the author's answer, on "
        "other questions that are valid. A question is valid because most votes are right, so this "
        "share is higher than the one on all questions."
    ),
    "one_coin": _(
        "Skill: the probability that a validator chooses the right option, whoever wrote the "
        "question, in a model in which it is the same for every question (one-coin). It is "
        "estimated from all counted votes, together with the answers; eight votes of the usual "
        "skill in the campaign are added to those of each validator."
    ),
    "group_score": _("The share of twins of which both questions are answered rightly."),
}
