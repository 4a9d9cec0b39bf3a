"""Asking people about knowledge sentences: the words, and who knows the labels."""

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from corpora.core.items import Item
from knowledge.core.problems import parts_of
from knowledge.models import KnowledgeSet
from panels.adapters import Adapter, register
from panels.models import Panel
from winoplatform.errors import Conflict
from workers.models import LedgerEntry, Qualification, User

PURPOSE = "knowledge"


class SentencesAdapter(Adapter):
    """Panels about the sentences of a knowledge set; the title is the set's name."""

    purpose = PURPOSE
    pay_kind = LedgerEntry.Kind.KNOWLEDGE
    name: ClassVar = _("sentences of %s")
    offer: ClassVar = _("Answer about reasons")
    about: ClassVar = _(
        "Does a reason hold by common sense, and does it support the answer? Yes or no."
    )
    asks: ClassVar = _("Does the reason hold, and does it support the answer?")
    hint: ClassVar = _("Answer alone, without looking anything up.")
    says_what_fails = True
    guideline = "frontend/knowledge/guideline.html"
    figures_page = "knowledge-validation"

    def parts(self, item: Item) -> list[tuple[Any, str]]:
        names = (_("Sentence"), _("Answer"), _("Reason"))
        return list(zip(names, parts_of(item.sentence) or (), strict=False))

    def refuse_who_knows(self, worker: User, panel: Panel) -> None:
        """Refuse who wrote for the set, or sees labels or formulas.

        Raises
        ------
        DomainError
            ``knows_labels`` or ``author_of_set``.
        """
        knowledge_set = KnowledgeSet.objects.get(panel=panel)
        qualified = Qualification.objects.filter(worker=worker, skill=Qualification.Skill.FORMALISE)
        payer = knowledge_set.campaign
        if worker.is_curator or (payer and qualified.filter(scope=payer.public_id).exists()):
            raise Conflict(
                "knows_labels", "Who formalises this set sees what is true in it, so others answer."
            )
        written = (knowledge_set.formulas, knowledge_set.formalisations)
        if any(rows.filter(author=worker).exists() for rows in written):
            raise Conflict(
                "author_of_set", "You wrote a formula of this set, so others answer about it."
            )


register(SentencesAdapter())
