"""Heuristics about English names and nouns for the domain warnings."""

from functools import cache
from typing import Literal

Gender = Literal["female", "male"]

# Names that the crowd uses often and Faker's lists lack.
_FEMALE, _MALE = frozenset({"elena"}), frozenset({"nick", "nelson"})

# Singular words that end in "s"; those in -ss, -us and -is need no entry.
_SINGULAR = """
gas lens canvas atlas bias pancreas thermos chaos cosmos asbestos christmas alias kudos albatross
rhinoceros texas
"""
_PLURAL = """
men women people children feet teeth geese mice lice oxen clothes police cattle criteria phenomena
bacteria data dice menus emus
"""
_EITHER = """
fish sheep deer moose elk shrimp salmon trout cod tuna squid bison species series aircraft
spacecraft offspring headquarters crossroads means news staff
"""
# Words that name a thing or a food more often than an animal are left out: bat, crane, mouse, seal,
# bug, chicken, turkey, lamb, shrimp, tuna, salmon.
_ANIMALS = """
alligator animal ant antelope ape baboon badger bear beaver bee beetle bird bison buffalo bull
bunny butterfly calf camel canary cat caterpillar cheetah chimpanzee chipmunk cobra cockroach
cougar cow coyote crocodile crow deer dog dolphin donkey dove duck eagle elephant elk falcon
ferret fish flamingo flea fox frog gecko gerbil giraffe goat goldfish goose gorilla grasshopper
hamster hare hawk hedgehog hen hippopotamus hog hornet horse hyena iguana insect jaguar kangaroo
kitten koala ladybug leopard lion lizard llama monkey moose mosquito moth mule newt octopus
ostrich otter owl ox oxen panda panther parakeet parrot peacock pelican penguin pet pig pigeon
pony puppy rabbit raccoon rat raven reindeer rhinoceros rooster salamander scorpion shark sheep
skunk slug snail snake sparrow spider squirrel swan tiger toad tortoise turtle wasp weasel whale
wolf worm zebra
"""
SINGULAR = frozenset(_SINGULAR.split())
PLURAL = frozenset(_PLURAL.split())
EITHER = frozenset(_EITHER.split())
ANIMALS = frozenset(_ANIMALS.split())
_NO_ANIMALS = ("hot dog", "hot dogs", "teddy bear", "teddy bears", "gummy bears")
_ANIMAL_PLURALS = {"geese": "goose", "wolves": "wolf", "calves": "calf"}


def name_gender(name: str) -> Gender | None:
    """Return the gender of a person's first name in the United States.

    None if the name is unknown or used for both (Leslie, Jordan). The lists are Faker's, with three
    additional names.

    >>> name_gender("Rebecca"), name_gender("Ian Smith"), name_gender("Leslie")
    ('female', 'male', None)
    """
    first = next(iter(name.split()), "").casefold()
    female, male = (first in names for names in _names())
    if female is male:
        return None
    return "female" if female else "male"


@cache
def _names() -> tuple[frozenset[str], frozenset[str]]:
    """Return the first names of women and of men."""
    # Transformations that need no names are used where Faker is not installed.
    from faker.providers.person.en_US import Provider

    lists = (Provider.first_names_female, Provider.first_names_male)
    women, men = (frozenset(map(str.casefold, names)) for names in lists)
    return women | _FEMALE, men | _MALE


def is_plural(phrase: str) -> bool | None:
    """Return whether a noun phrase is plural, by its head; None if the form is ambiguous.

    What counts is the agreement of the verb, as that could reveal an answer: scissors are plural,
    furniture is singular.

    >>> is_plural("slice of cakes"), is_plural("kitchen knives"), is_plural("sheep")
    (False, True, None)
    """
    lower = phrase.casefold()
    if " and " in lower:
        return True
    head = head_noun(lower)
    if head in EITHER or head.endswith(("ics", "is")):
        return None
    if head in PLURAL:
        return True
    return head.endswith("s") and head not in SINGULAR and not head.endswith(("ss", "us", "'s"))


def is_animal(phrase: str) -> bool:
    """Return whether a noun phrase names an animal.

    >>> is_animal("two puppies"), is_animal("dog house")
    (True, False)
    """
    lower = phrase.casefold()
    if lower.endswith(_NO_ANIMALS):
        return False
    head = head_noun(lower)
    forms = {head, head.removesuffix("s"), head.removesuffix("es")}
    if head.endswith("ies"):
        forms.add(head[:-3] + "y")
    forms.add(_ANIMAL_PLURALS.get(head, head))
    return not forms.isdisjoint(ANIMALS)


def head_noun(phrase: str) -> str:
    """Return the head of a noun phrase: its last word, or the last before "of"."""
    head = phrase.split(" of ", 1)[0].split() or [""]
    return head[-1].strip(".,;:!?\"'()")
