"""Possessive forms: of an option, and whether a pronoun is one in its sentence."""

import re

from collection.core.words import FUNCTION_WORDS

_APOSTROPHES = str.maketrans("’ʼ＇", "'''")
_WORD = re.compile(r"[^\W_](?:[\w'’.,-]*\w)?")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Also without a noun after them: "a friend of his". "her" alone depends on what follows.
_ALWAYS = _set("my mine your yours his hers its our ours their theirs whose one's thy thine")
_OF_PRONOUNS = {
    "i": "my", "you": "your", "he": "his", "she": "her", "it": "its", "we": "our", "they": "their",
    "me": "my", "him": "his", "us": "our", "them": "their", "who": "whose", "whom": "whose",
}  # fmt: skip
_POSSESSIVE_WORDS = _ALWAYS | {"her"}


def _forms(text: str) -> frozenset[str]:
    """Return verbs with their regular forms; ``give:gave given`` has irregular ones as well."""
    forms = set()
    for entry in text.split():
        verb, _, irregular = entry.partition(":")
        stem = verb.removesuffix("e")
        forms |= {verb, f"{verb}s", f"{stem}ed", f"{stem}ing", f"{verb}es", *irregular.split(",")}
        if verb.endswith("y"):
            forms |= {f"{verb[:-1]}ied", f"{verb[:-1]}ies"}
    return frozenset(forms)


# Verbs after which "her" and a verb, an adjective, two things or a place can follow.
_CAUSE = _forms(
    "make:made let:letting help see:saw,seen watch hear:heard have:had,has feel:felt notice bid "
    "hope want observe"
)
_CATCH = _forms(
    "see:saw,seen watch hear:heard feel:felt notice catch:caught find:found keep:kept leave:left "
    "spot discover observe send:sent set:setting picture imagine remember stop get:got,getting"
)
_LEAVE = _forms(
    "make:made find:found keep:kept leave:left get:got,getting set:setting drive:drove,driven "
    "consider call think:thought turn render treat hold:held prove like want see:saw,seen deem "
    "believe judge declare scare frighten bore knock shake:shook push"
)
_GIVE = _forms(
    "give:gave,given offer hand send:sent wish lend:lent grant award owe charge cost "
    "provide promise assign allow deny fine bet:betting"
)
_TRADE = _forms("sell:sold bring:brought buy:bought pay:paid serve feed:fed show:shown")
_ASK = _forms("ask tell:told")
_MOVE = _forms(
    "drive:drove,driven take:took,taken bring:brought walk send:sent follow see:saw,seen carry "
    "lead:led escort accompany invite call pay:paid get:got,getting give:gave,given win:won turn "
    "text write:wrote,written push pull hold:held welcome fight:fought ask email phone message "
    "want fly:flew ride:rode,ridden beam chase throw:threw,thrown hit:hitting love kiss nurse lure"
)
_NAME = _forms("call name christen dub nickname rename label")
_VERBS = _set(
    """
    accept achieve act agree appear apply arrange arrive ask assemble avoid bake be become begin
    behave believe bleed blush borrow breathe bring build burn buy carry catch change choose
    clean climb close collect come complete confess continue cook count cover cross cry dance
    decide die dig disappear do draw dream drink drive drop earn eat enjoy enter escape explain
    express faint fall feel fight figure fill find finish fix fly follow forget forgive gain
    gasp get give go grow handle happen have hear hide hit hold hurt improve join jump keep kill
    kiss know laugh lead learn leave lie lift like listen live look lose love make manage march
    meet move need notice obtain open organize overcome pack paint panic perform persuade pick
    play practice practise prepare produce promise prove pull push put quit reach read realise
    realize receive recover relax remember repair repeat resolve retire return ride run
    sacrifice save say scream search see seem sell send set settle shake shine shiver shoot
    shout show shower sing sit sleep slip smile sneeze solve speak spend spill stand start stay
    steal step stop strike study suffer summon survive swallow swear sweat swim take talk teach
    tell think throw touch train travel tremble trip try turn understand unload unpack use vomit
    wait wake walk want wash watch wear weep win wince wonder work worry write yawn yell
    """
)
_ADVERBS = _set(
    """
    afterward afterwards again ahead alone already altogether anyhow anymore anytime anyway
    anyways anywhere apart aside badly elsewhere everywhere forever forward forwards hence
    indoors later likewise maybe meanwhile nearby nonetheless nowhere often outdoors overnight
    perhaps sometime sometimes somehow somewhere soon together today tomorrow tonight twice
    upstairs downstairs overseas well yesterday please yearly
    """
)
_AFTER_MOTION = _set("home back")
_LY_ADJECTIVES = _set(
    """
    ally anomaly assembly belly bodily bully butterfly chilly costly cowardly cuddly curly daily
    deadly dolly doily early earthly elderly family fly folly friendly ghastly gravelly heavenly
    hilly hourly holy homily italy jelly jolly july kindly leisurely likely lily lively lonely
    lovely lowly manly melancholy monopoly monthly motherly nightly oily only orderly panoply
    quarterly rally reply scholarly sickly silly sisterly smelly supply tally timely ugly
    unlikely weekly womanly woolly worldly wooly wrinkly yearly
    """
)
_ADJECTIVES = _set(
    """
    afraid aghast alive angry anxious ashamed asleep awake aware bad breathless busy calm clean
    cold comfortable cool crazy dead deaf drunk dry famous fat fit free glad good guilty happy
    healthy helpless hopeful hot hungry ill innocent insane jealous late lazy livid lonely lucky
    mad missing naked nauseous nervous pale poor pregnant proud quiet ready rich right sad safe
    shy sick silent silly sleepy smart sober sorry speechless straight strong stupid suspicious
    sweet thin thirsty tired uncomfortable uneasy unhappy unwell upset warm weak weary well wet
    wild wise worthless wrong
    """
)
_ADJECTIVE_ENDINGS = ("able", "ible", "ful", "ous", "less", "ive")
_QUANTITIES = _set("few many several one two three four five six seven eight nine ten")
_MASS = _set(
    """
    advice birthday bread cash change coffee credit directions drugs feedback flowers food gas
    help hope information luck medicine mercy milk money moral permission support tea thanks tips
    time treatment trouble water work
    """
)
_DETERMINERS = _set(
    "a an the this these those some any my your his her its our their him it them me us"
)
_PEOPLE = _set(
    """
    bosses brothers clients colleagues cousins customers daughters employees friends
    grandparents guests kids listeners neighbors neighbours parents patients pupils readers
    sisters sons students workers
    """
)
# Function words that can open the phrase of a noun: "her own car", "her very first day".
_OPENING = _set("own other same very only then once most own few many several every")
_SUBJECT_BEFORE = _set(
    """
    because since that if when whenever although though while whereas unless whether where until
    till but so or how why what which who am is are was were be been being isn't aren't wasn't
    weren't
    """
)


def is_possessive(before: str, pronoun: str, after: str) -> bool:
    """Return whether a pronoun says whose something is.

    Parameters
    ----------
    before, pronoun, after : str
        The parts of the sentence.

    Notes
    -----
    All possessive forms are told by themselves, except *her*, which is also an object: a rule
    reads the words around it. It errs where the words around are the same for both ("showed her
    identification") and where an object is followed by a noun that no word introduces.

    Examples
    --------
    >>> is_possessive("She lost ", "her", " keys."), is_possessive("He saw ", "her", " leave.")
    (True, False)
    >>> is_possessive("It was ", "hers", "."), is_possessive("Ann hurt ", "herself", ".")
    (True, False)
    """
    word = _plain(pronoun)
    if word in _ALWAYS:
        return not after.translate(_APOSTROPHES).startswith("'s")
    return word == "her" and _her_is_possessive(before, after)


def possessive(name: str) -> str:
    """Return the possessive form of a noun phrase or pronoun; one that has it is returned as it is.

    >>> [possessive(name) for name in ("Ann", "the cooks", "the boss", "Ann's", "I")]
    ["Ann's", "the cooks'", "the boss's", "Ann's", 'my']
    """
    plain = _plain(name)
    if plain in _POSSESSIVE_WORDS or has_ending(name):
        return name
    if plain in _OF_PRONOUNS:
        return _OF_PRONOUNS[plain]
    plural = plain.endswith("s") and not plain.endswith(("ss", "us"))
    return name + ("'" if plural else "'s")


def has_ending(name: str) -> bool:
    """Return whether a noun phrase ends as a possessive: ``Ann's``, ``the cooks'``."""
    return _plain(name).endswith(("'s", "s'"))


def _plain(word: str) -> str:
    return word.strip().casefold().translate(_APOSTROPHES)


def _her_is_possessive(before: str, after: str) -> bool:
    """Read "her" as possessive unless what follows cannot be, or hardly is, what she has."""
    following = _following(after)
    if not following:
        return False
    previous = [_plain(word) for word in _WORD.findall(before[-100:])]
    if not previous or before.rstrip().endswith((".", "!", "?")):
        return True
    verb, first, second = previous[-1], following[0], following[1] if following[1:] else ""
    if first in FUNCTION_WORDS:
        is_subject = verb in _SUBJECT_BEFORE and first in _OPENING
        return (
            is_subject
            or first in ("own", "other")
            or (first in _QUANTITIES and verb not in _GIVE | _TRADE | _ASK)
        )
    if verb in _SUBJECT_BEFORE:
        return True
    ends = not second or second in FUNCTION_WORDS or second in _ADVERBS
    return not (
        _is_adverb(verb, first, ends)
        or _is_verb(verb, first, second, ends)
        or _is_state(verb, first, ends)
        or _is_given(verb, following)
        or (verb in _NAME and _WORD.search(after).group()[0].isupper())  # type: ignore[union-attr]
    )


def _following(after: str) -> list[str]:
    """Return up to five words up to the end of the phrase."""
    match = re.match(r"\s++[\"“‘(]?(?=\w)([^.,;:!?()\"“”\n]|(?<=\d)[.,](?=\d))*", after[:200])
    return [_plain(word) for word in _WORD.findall(match.group())][:5] if match else []


def _is_adverb(verb: str, first: str, ends: bool) -> bool:
    """``saw her again``, ``admired her greatly``, ``drove her home``."""
    if first in _AFTER_MOTION:
        return verb in _MOVE and ends
    return ends and (first in _ADVERBS or (first.endswith("ly") and first not in _LY_ADJECTIVES))


def _is_verb(verb: str, first: str, second: str, ends: bool) -> bool:
    """``made her laugh``, ``helped her win the case``, ``saw her leaving``."""
    has_object = second in _DETERMINERS
    if first.endswith("ing") and ((verb in _CATCH and ends) or has_object):
        return True
    return verb in _CAUSE and (first in _VERBS or has_object)


def _is_state(verb: str, first: str, ends: bool) -> bool:
    """``made her angry``, ``left her stranded``."""
    is_participle = first.endswith("ed") and len(first) > 5
    is_adjective = first in _ADJECTIVES or first.endswith(_ADJECTIVE_ENDINGS) or is_participle
    return verb in _LEAVE and ends and is_adjective


def _is_given(verb: str, following: list[str]) -> bool:
    """``gave her flowers``, ``charged her 100 dollars``, but ``gave her flowers to Ann``."""
    length = next((n for n, word in enumerate(following) if word in FUNCTION_WORDS), len(following))
    first, noun = following[0], following[length - 1]
    if verb in _ASK:
        return noun in ("question", "questions")
    if verb not in _GIVE | _TRADE or following[length : length + 1] == ["to"]:
        return False
    plural = noun.endswith("s") and not noun.endswith(("ss", "us")) and noun not in _PEOPLE
    return noun in _MASS or first[0].isdigit() or (plural and verb in _GIVE)
