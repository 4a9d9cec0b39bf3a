"""The language of formulas: reading, checking and printing."""

from knowledge.core.language.errors import FormulaError, Place
from knowledge.core.language.parsing import parse
from knowledge.core.language.signature import Signature, Sort, signature_of
from knowledge.core.language.tree import show
