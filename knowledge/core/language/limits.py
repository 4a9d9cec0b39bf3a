"""How large a formula may be."""

MOST_CHARACTERS = 2_000
MOST_FORMULAS = 40  # of a formalisation, with its knowledge
MOST_VARIABLES = 12  # different variables of one formula
MOST_LEVELS = 30  # of connectives, of quantifiers, or of terms, one within another
# Each level can need two pairs: around the connective and around the quantifier in it.
MOST_PARENTHESES = 2 * MOST_LEVELS
