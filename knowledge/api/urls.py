from django.urls import path

from knowledge.api import annotating, formalising, questions, reasons, runs, sentences, sets, tasks

ONE = "knowledge-sets/<slug:name>"

urlpatterns = [
    path("knowledge-sets/", sets.KnowledgeSets.as_view()),
    path(f"{ONE}/", sets.OneKnowledgeSet.as_view()),
    path(f"{ONE}/questions/", questions.Questions.as_view()),
    path(f"{ONE}/formulas/", formalising.Formulas.as_view()),
    path(f"{ONE}/check/", formalising.Check.as_view()),
    path(f"{ONE}/formalisations/", formalising.Formalisations.as_view()),
    path(f"{ONE}/pairs/", formalising.Pairs.as_view()),
    path(f"{ONE}/lexicon/", sentences.Lexicon.as_view()),
    path(f"{ONE}/sentences/", sentences.Sentences.as_view()),
    path(f"{ONE}/validation/", annotating.Validation.as_view()),
    path(f"{ONE}/take/", tasks.Take.as_view()),
    path(f"{ONE}/exercise/", tasks.Exercise.as_view()),
    path("formalisations/<uuid:id>/", formalising.OneFormalisation.as_view()),
    path("formalisations/<uuid:id>/prove/", formalising.Prove.as_view()),
    path("formalisations/<uuid:id>/draft/", sentences.Draft.as_view()),
    path("formalising-tasks/", tasks.Tasks.as_view()),
    path("formalising-tasks/<uuid:id>/return/", tasks.ReturnTask.as_view()),
    path("sentences/<uuid:id>/", sentences.OneSentence.as_view()),
    path("sentences/<uuid:id>/offers/", sentences.Offers.as_view()),
    path("sentences/<uuid:id>/false-version/", sentences.FalseVersion.as_view()),
    path("set-validations/", annotating.OpenValidations.as_view()),
    path("set-validations/<uuid:id>/status/", annotating.ChangeStatus.as_view()),
    path("set-validations/<uuid:id>/figures/", annotating.ValidationFigures.as_view()),
    path("set-validations/<uuid:id>/enrol/", annotating.Enrol.as_view()),
    path("set-validations/<uuid:id>/claim/", annotating.ClaimSentence.as_view()),
    path("enrolments/<uuid:id>/end/", annotating.EndEnrolment.as_view()),
    path("sentence-seats/<uuid:id>/beat/", annotating.BeatSentence.as_view()),
    path("sentence-seats/<uuid:id>/answer/", annotating.AnswerSentence.as_view()),
    path("sentence-seats/<uuid:id>/return/", annotating.ReturnSentence.as_view()),
    path("reasons/", reasons.Reasons.as_view()),
    path("sweeps/<uuid:id>/report/", runs.SweepReport.as_view()),
]
