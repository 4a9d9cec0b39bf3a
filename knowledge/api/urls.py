from django.urls import path

from knowledge.api import formalising, questions, sentences, sets, tasks, validation

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
    path(f"{ONE}/validation/", validation.Validation.as_view()),
    path(f"{ONE}/validation/figures/", validation.ValidationFigures.as_view()),
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
    path("reasons/", questions.Reasons.as_view()),
    path("sweeps/<uuid:id>/report/", sets.SweepReport.as_view()),
]
