"""How long first tasks take, for a careful person who reads everything once.

A script signs in to a new platform with the starter campaign and does what a newcomer does, in a
real browser. It reads every line of a page that it has not read before at 230 words a minute, and
points, types and decides at the speeds of the keystroke-level model (Card, Moran and Newell 1980).
The time of the pages themselves is the clock's. What is not in it is invention: the script has its
twin ready, so a person needs longer by the time in which they think of one.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from os import environ
from pathlib import Path
from shutil import which
from urllib.request import urlopen

from playwright.sync_api import Locator, Page, sync_playwright

from benchmarks.report import parse_args, result, table
from benchmarks.writers import free_port

FLAGS = ["--no-sandbox", "--disable-background-networking"]
ROOT = Path(__file__).resolve().parents[1]
STARTER = ROOT / "collection" / "starter"
WORDS_A_MINUTE = 230
KEY_SECONDS, POINT_SECONDS, DECIDE_SECONDS = 0.28, 1.3, 1.35
LOADING_SECONDS = 900
# Without what only a screen reader reads, the keys on buttons, and a table's later rows.
VISIBLE_TEXT = """() => {
  const hidden = [...document.querySelectorAll(".unseen, kbd, tbody tr:nth-child(n+4), .skip")];
  hidden.forEach((each) => each.setAttribute("hidden", ""));
  const text = document.body.innerText;
  hidden.forEach((each) => each.removeAttribute("hidden"));
  return text;
}"""
ONE, OTHER = "Maria", "Elena"
TWIN = "At the {anchor} talk, Maria gave Elena her umbrella, so that evening _ came home {end}."


class Reader:
    """A person at a page: adds up what reading, pointing, typing and waiting take."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.read_before: set[str] = set()
        self.seconds = {"reading": 0.0, "hands": 0.0, "pages": 0.0}
        self.words = 0

    @property
    def minutes(self) -> float:
        return sum(self.seconds.values()) / 60

    def open(self, path: str = "/") -> None:
        self._wait_for(lambda: self.page.goto(f"{self.address}{path}"))

    def read(self) -> None:
        """Read the visible lines that are new; of a table, its head and first rows."""
        for line in self.page.evaluate(VISIBLE_TEXT).splitlines():
            text = line.strip()
            if text and text not in self.read_before:
                self.read_before.add(text)
                self.words += len(text.split())
                self.seconds["reading"] += len(text.split()) * 60 / WORDS_A_MINUTE

    def press(self, what: Locator, *, decides: bool = False) -> None:
        self.press_last(what, decides=decides)
        self.read()

    def press_last(self, what: Locator, *, decides: bool = False) -> None:
        """Press a button that ends the task: the page after it is not read."""
        self.seconds["hands"] += POINT_SECONDS + DECIDE_SECONDS * decides
        self._wait_for(lambda: what.click())

    def type(self, where: Locator, text: str, *, n_keys: int | None = None) -> None:
        """Type *text*, which one need not read; *n_keys* if some of it stands there."""
        keys = len(text) if n_keys is None else n_keys
        self.seconds["hands"] += POINT_SECONDS + KEY_SECONDS * keys
        where.fill(text)
        self.read_before |= {text, text.replace("_", ONE), text.replace("_", OTHER)}

    def _wait_for(self, act: object) -> None:
        begun = time.perf_counter()
        act()  # type: ignore[operator]
        self.page.wait_for_load_state()
        self.seconds["pages"] += time.perf_counter() - begun

    def sign_in(self, name: str, password: str) -> None:
        """Sign in; the time begins on the home page, where a link of a study leads to."""
        self.open()
        self.page.get_by_label("User name").fill(name)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_load_state()
        self.seconds = dict.fromkeys(self.seconds, 0.0)
        self.read()


def main() -> None:
    """Measure the tasks."""
    parse_args(__doc__ or "")
    with platform() as (address, passwords), sync_playwright() as playwright:
        path = which("chromium-headless-shell") or which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        rows = []
        for name, task in TASKS.items():
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            reader = Reader(context.new_page(), address)
            person, act = task
            act(reader, person, passwords[person])
            rows.append((name, reader))
            context.close()
        browser.close()
    table(
        ("task", "minutes", "words", *rows[0][1].seconds),
        [
            (name, f"{r.minutes:.2f}", r.words, *(f"{part:.0f} s" for part in r.seconds.values()))
            for name, r in rows
        ],
    )
    result(**{f"{name}_min": round(reader.minutes, 2) for name, reader in rows})


@contextmanager
def platform() -> Iterator[tuple[str, dict[str, str]]]:
    """Start a new platform, as a newcomer does, and wait for its starter campaign."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("w+") as log:
        server = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env={**environ, "VAR_DIR": f"{folder}/var"},
            stdout=log,
            stderr=log,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            yield address, _loaded(Path(folder) / "log", address, server)
        finally:
            server.terminate()
            server.wait(60)


def _is_loading(address: str) -> bool:
    with urlopen(f"{address}/sign-in/") as answer:
        return b"starter campaign is being loaded" in answer.read()


def _loaded(log: Path, address: str, server: "subprocess.Popen[bytes]") -> dict[str, str]:
    """Return the passwords by user name once the starter campaign is loaded."""
    deadline = time.monotonic() + LOADING_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        said = log.read_text()
        if "Ctrl-C" in said and not _is_loading(address):
            return dict(re.findall(r"^\s+(\w+)\s+password\s+(\S+)", said, re.MULTILINE))
        time.sleep(1)
    raise SystemExit(f"The platform did not load its starter campaign:\n{log.read_text()}")


def write_a_twin(reader: Reader, name: str, password: str) -> None:
    """From the home page to the receipt of a first twin."""
    page = reader.page
    reader.sign_in(name, password)
    reader.press(page.get_by_role("link", name="Write · "))
    reader.press(page.get_by_role("button", name="I have read them"))
    _answer_test(reader, "exercise")
    _write(reader)
    reader.press_last(page.get_by_role("button", name="Submit twin"))
    page.wait_for_url("**/twins/**")


def _write(reader: Reader) -> None:
    page = reader.page
    chip = page.locator(".chip:visible").first
    anchor = chip.get_attribute("data-value") or ""
    reader.press(chip, decides=True)
    reader.press(page.get_by_role("radio", name="People"), decides=True)
    reader.type(page.locator("#id_option1"), ONE)
    reader.type(page.locator("#id_option2"), OTHER)
    reader.type(page.locator("#id_sentence1"), TWIN.format(anchor=anchor, end="wet"))
    reader.press(page.get_by_role("button", name="Start from sentence 1"))
    # Three letters are selected and typed anew.
    reader.type(page.locator("#id_sentence2"), TWIN.format(anchor=anchor, end="dry"), n_keys=5)
    reader.press(page.locator("#id_answer1"), decides=True)
    page.get_by_text("Ready to submit").wait_for()
    reader.read()


def cast_a_vote(reader: Reader, name: str, password: str) -> None:
    """From the home page to a first vote."""
    page = reader.page
    reader.sign_in(name, password)
    reader.press(page.get_by_role("link", name="Validate · "))
    reader.press(page.get_by_role("button", name="I have read them"))
    for item in _items("validator_training"):
        choice = page.get_by_role("button", name=item["choices"][item["answer"] - 1])
        reader.press(choice.first, decides=True)
    reader.press(page.get_by_role("button", name="Start validating"))
    page.get_by_text("Step 1 of 2").wait_for()
    reader.press(page.get_by_role("button", name="Cannot tell"), decides=True)
    page.get_by_text("Step 2 of 2").wait_for()
    reader.press(page.get_by_role("radio").first, decides=True)
    reader.press_last(page.get_by_role("button", name="No, clearly one"), decides=True)
    page.locator("#question").get_by_text("Your vote is recorded").wait_for()


def _items(name: str) -> list[dict[str, object]]:
    """Return the items of a first attempt."""
    items: list[dict[str, object]] = json.loads((STARTER / f"{name}.json").read_text())
    length: int = json.loads((STARTER / "campaign.json").read_text())["exercise_length"]
    return items[:length]


def _answer_test(reader: Reader, name: str) -> None:
    """Answer every item rightly, hand the test in and go on."""
    page = reader.page
    for fieldset, item in zip(page.locator(".exercise-item").all(), _items(name), strict=True):
        right = item["choices"][item["answer"] - 1]  # type: ignore[index, operator]
        reader.press(fieldset.get_by_role("radio", name=right, exact=True), decides=True)
    reader.press(page.get_by_role("button", name="Submit test"))
    reader.press(page.get_by_role("button", name="Start "))


def decide_a_question(reader: Reader, name: str, password: str) -> None:
    """From the sign-in page to a decided doubtful question."""
    page = reader.page
    reader.sign_in(name, password)
    reader.press(page.get_by_role("link", name="Starter campaign").first)
    reader.press(page.get_by_role("link", name="Review").first)
    reader.press(page.locator(".dense td.text a").first)
    reader.press(page.get_by_role("button", name="Valid", exact=True).first, decides=True)
    page.get_by_text("Your decision is saved").wait_for()


def preview_a_release(reader: Reader, name: str, password: str) -> None:
    """From valid questions to the preview of a release, by one button."""
    page = reader.page
    reader.sign_in(name, password)
    reader.press(page.get_by_role("link", name="Starter campaign").first)
    reader.press(page.get_by_role("link", name="Pipeline"))
    reader.press(page.get_by_role("button", name="Start all runs"))
    begun = time.perf_counter()
    page.get_by_role("button", name=re.compile("Build")).wait_for(timeout=300_000)
    reader.seconds["pages"] += time.perf_counter() - begun
    reader.read()


def understand_a_filter_run(reader: Reader, name: str, password: str) -> None:
    """From the home page to what a run found before and after, and to what it removed."""
    page = reader.page
    run = page.get_by_role("link", name=re.compile("run of the latest release|chosen by"))
    reader.sign_in(name, password)
    _wait_for_runs(page, reader.address, run)
    reader.press(page.get_by_role("link", name="Starter campaign").first)
    reader.press(run)
    reader.press(page.get_by_role("link", name="Removed questions"))


def _wait_for_runs(page: Page, address: str, run: Locator) -> None:
    """Wait until the starter's runs are done, and go back; no part of the time."""
    deadline = time.monotonic() + LOADING_SECONDS
    while time.monotonic() < deadline:
        page.goto(f"{address}/campaigns/starter/")
        if run.count():
            break
        time.sleep(1)
    page.goto(address)


TASKS = {
    "first_twin": ("writer", write_a_twin),
    "first_vote": ("validator", cast_a_vote),
    "decided_question": ("curator", decide_a_question),
    "filter_run": ("curator", understand_a_filter_run),
    "release_preview": ("curator", preview_a_release),
}

if __name__ == "__main__":
    main()
