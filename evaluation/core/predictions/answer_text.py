"""The part of a model's output that is its answer, in one spelling."""

import re
import unicodedata

LONGEST = 20_000
"""Characters of an answer that are read, without its reasoning: the last ones."""

CAPITALS = "\ue000\ue001\ue002\ue003\ue004\ue005\ue006\ue007"
"""Stand for the letters A to H where each is a word, so that case can be folded and “A” kept."""

_LETTERS = str.maketrans(CAPITALS, "abcdefgh")
_FIRST_CAPITAL = ord(CAPITALS[0])
_NAMES = (
    "think(?:ing)?|thoughts?|reasoning|reason|rationale|analysis|reflection|scratchpad|"
    "explanation|justification|cot|seed:think|inner_monologue"
)
_REASONING = re.compile(
    rf"(?P<open><(?:{_NAMES})\b[^<>\n]{{0,80}}>|\[think(?:ing)?\]|◁think▷|<unused94>"
    r"|<\|(?:start_thinking|begin_of_thought)\|>)"
    rf"|<\s?/\s?(?:{_NAMES})\s?>|\[/think(?:ing)?\]|◁/think▷|<unused95>"
    r"|<\|(?:end_thinking|end_of_thought)\|>",
    re.IGNORECASE,
)
_CHANNEL = "<|channel|>"
_FINAL_CHANNEL = re.compile(r"<\|channel\|>\s?final\b[^<>\n]{0,40}<\|message\|>")
_BARE_CHANNELS = re.compile(r"\s{0,9}analysis[\s\S]*assistant\s?final")
_ROLE = re.compile(r"<\|(?:im_start|start|start_header_id)\|>\s?\w{0,20}(?:<\|end_header_id\|>)?")
_END = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|end_of_turn|end|return|end_response)\|>"
    r"|</s>|<eos>|<end_of_turn>|<｜end▁of▁sentence｜>",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"<[|｜][^<>|｜\s]{1,40}[|｜]>|<s>|<pad>|<bos>|\[/?INST\]")
_HTML = re.compile(
    r"</?(?:b|i|u|p|em|strong|div|span|code|center|ul|ol|li|h[1-6])(?:\s[^<>\n]{0,100})?>",
    re.IGNORECASE,
)
_NEW_LINE = re.compile(r"<br\s?/?>|\\n(?![a-z])", re.IGNORECASE)
_LATEX = re.compile(
    r"\\(?:text|math|emph|operatorname)[a-z]{0,8}(?=\s?\{)|\\[()\[\],;!: ]|\\(?:q?quad|left|"
    r"right)\b"
    r"|(?<!\\)\$"
)
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_CJK_EDGE = re.compile(rf"(?<=[{_CJK}])(?=[0-9A-Za-z])|(?<=[0-9A-Za-z])(?=[{_CJK}])")
_DIGIT = re.compile(r"(?![0-9])\d")
_CAPITAL = re.compile(r"(?<![\w'.-])(?<![^\WA-H]/)[A-H](?![\w']|-\w|/[^\WA-H])")
_STRUCK = re.compile(r"(?<!~)~~(?=[^\s~])[^~\n]{1,200}~~(?!~)|<(s|del|strike)>[^<\n]{1,200}</\1>")
_BOX = re.compile(r"^([\s>*+-]{0,8})\[([xX✓ ]?)\](?=\s)", re.MULTILINE)
_DROPPED = re.compile(r"[*`\"“”„«»「」『』]+|_{2,}")
_SPACE = re.compile(r" (?=[,.;:!?)\]](?:\s|$))")
_SPELLINGS = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ´", "'"),
        **dict.fromkeys("❌✗✘✖🚫", " ✗ "),
        **dict.fromkeys("✅✔☑✓", " ✓ "),
        **dict.fromkeys("👉", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u20e3\ufe0f"),
        **dict.fromkeys("\0" + CAPITALS, " "),
        **dict.fromkeys("，、", ", "),
        **dict.fromkeys("。．", ". "),
        **dict.fromkeys("→⇒⟹➡", "->"),
    }
)
_ENDS = " \n\t.,;:!?'_~-"
_MOST_MARKS = 4  # a letter with thousands of combining marks takes long to normalise


def without_reasoning(text: str) -> str:
    """Return a text without its reasoning and the tokens of chat templates.

    Tags of reasoning go with what is between them; a tag that only ends goes with all before it,
    one that never ends with all after it. Of an output with channels, only the final one stays.

    >>> without_reasoning("<think>Is it 1?</think> 2").strip()
    '2'
    """
    if _CHANNEL in text:
        finals = list(_FINAL_CHANNEL.finditer(text))
        text = text[finals[-1].end() :] if finals else ""
    elif bare := _BARE_CHANNELS.match(text):
        text = text[bare.end() :]
    return _TOKEN.sub("\n", _first_turn(_ROLE.sub("\n", _outside_tags(text))))


def _first_turn(text: str) -> str:
    """Return what is before the first token that ends a turn with words."""
    turns = (turn for turn in _END.split(text) if turn.strip())
    return next(turns, "")


def _outside_tags(text: str) -> str:
    kept, begin = [""], 0
    is_open = False
    for tag in _REASONING.finditer(text):
        if tag["open"]:
            kept += [] if is_open else [text[begin : tag.start()], "\n"]
            is_open = True
        else:
            kept = kept if is_open else []
            begin, is_open = tag.end(), False
    return "".join([*kept, "" if is_open else text[begin:]])


def tail(text: str) -> str:
    """Return the last `LONGEST` characters of a text, from the start of a word."""
    if len(text) <= LONGEST:
        return text
    return text[-LONGEST:].partition(" ")[2] or text[-LONGEST:]


def one_spelling(text: str) -> str:
    """Return a text without case, emphasis, quotation marks and LaTeX's commands, line by line.

    Letters from A to H that are words are `CAPITALS`; `folded` makes letters of them.
    """
    text = unicodedata.normalize("NFKC", _few_marks(text).translate(_SPELLINGS))
    text = tail(_BOX.sub(_ticked, _STRUCK.sub(" ", text.translate(_SPELLINGS))))
    text = _HTML.sub(" ", _NEW_LINE.sub("\n", text))
    text = _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), _LATEX.sub("", text))
    text = _CAPITAL.sub(_mark, _CJK_EDGE.sub(" ", _DROPPED.sub(" ", text)))
    lines = (
        _SPACE.sub("", " ".join(line.split())).strip(" '_") for line in text.casefold().splitlines()
    )
    return "\n".join(filter(None, lines))


def _few_marks(text: str) -> str:
    kept, n = [], 0
    for letter in "" if text.isascii() else text:
        n = n + 1 if unicodedata.combining(letter) else 0
        if n <= _MOST_MARKS:
            kept.append(letter)
    return "".join(kept) or text


def _ticked(match: re.Match[str]) -> str:
    return f"{match[1]}✓" if match[2].strip() else f"{match[1]}✗"


def _mark(match: re.Match[str]) -> str:
    return chr(_FIRST_CAPITAL + ord(match[0]) - ord("A"))


def folded(said: str) -> str:
    """Return a text of `one_spelling` with letters for `CAPITALS`, of the same length."""
    return said.translate(_LETTERS)


def bare(said: str) -> str:
    """Return a text without punctuation at its ends."""
    return said.strip(_ENDS)
