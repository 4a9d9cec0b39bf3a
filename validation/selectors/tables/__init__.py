"""The tables of a campaign that can be exported, by name; ``docs/export.md`` describes them."""

from validation.selectors.tables.consents import CONSENTS, GUIDELINES
from validation.selectors.tables.people import PEOPLE
from validation.selectors.tables.questions import QUESTIONS
from validation.selectors.tables.settings import SETTINGS
from validation.selectors.tables.table import Table
from validation.selectors.tables.twins import TWINS
from validation.selectors.tables.votes import VOTES

TABLES: dict[str, Table] = {
    "questions": QUESTIONS,
    "twins": TWINS,
    "votes": VOTES,
    "people": PEOPLE,
    "settings": SETTINGS,
    "guidelines": GUIDELINES,
    "consents": CONSENTS,
}
