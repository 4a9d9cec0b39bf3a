"""The fake crowd platform over HTTP, on this machine only."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from tests.sandbox import EVENTS, Sandbox, Visit

HOST = "127.0.0.1"
BODY_BYTES = 100_000
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Crowd sandbox</title>
<style>body{{font:1rem/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}}
iframe{{width:100%;height:36rem;border:1px solid}}code{{overflow-wrap:anywhere}}
form{{display:inline}}button{{font:inherit}}</style><main>{content}</main></html>"""


class Handler(BaseHTTPRequestHandler):
    server: "Server"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query))
        if parts.path == "/":
            self._html(_overview(self.sandbox))
        elif parts.path == "/visits.json":
            self._json([visit.as_dict() for visit in self.sandbox.visits.values()])
        elif parts.path == "/frame":
            self._html(_frame(self.sandbox, query.get("session", "")))
        elif parts.path == "/submissions/complete":
            code = {"code": query.get("cc", ""), "by": "redirect"}
            self._thank(self.sandbox.receive(query.get("session", ""), code))
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        form = self._form()
        path = urlsplit(self.path).path
        if path == "/mturk/externalSubmit":
            session = form.pop("assignmentId", "")
            self._thank(self.sandbox.receive(session, {**form, "by": "externalSubmit"}))
        elif path == "/visits" and form.get("provider") in self.sandbox.studies:
            self._answer(self.sandbox.visit(**form).as_dict())
        elif path == "/events" and form.get("session") in self.sandbox.visits:
            self._answer(self.sandbox.send_event(form["session"], form.get("event", "")))
        else:
            self.send_error(404)

    @property
    def sandbox(self) -> Sandbox:
        return self.server.sandbox

    def _form(self) -> dict[str, str]:
        length = min(int(self.headers.get("Content-Length") or 0), BODY_BYTES)
        return dict(parse_qsl(self.rfile.read(length).decode("utf-8", "replace")))

    def _answer(self, values: dict[str, Any]) -> None:
        """Return JSON to programs, and a page to browsers."""
        if "json" in self.headers.get("Accept", ""):
            self._json(values)
            return
        self.send_response(303)
        self.send_header("Location", "/")
        self.end_headers()

    def _thank(self, is_known: bool) -> None:
        words = "The platform has your work." if is_known else "The platform knows no such session."
        self._html(f'<h1>{words}</h1><p><a href="/">Overview</a></p>', 200 if is_known else 404)

    def _html(self, content: str, status: int = 200) -> None:
        self._send(PAGE.format(content=content).encode(), "text/html; charset=utf-8", status)

    def _json(self, values: Any) -> None:
        self._send(json.dumps(values).encode(), "application/json", 200)

    def _send(self, body: bytes, content_type: str, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, as paths contain signed links."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, sandbox: Sandbox, port: int) -> None:
        super().__init__((HOST, port), Handler)
        self.sandbox = sandbox
        sandbox.origin = f"http://{HOST}:{self.server_address[1]}"


@contextmanager
def served(sandbox: Sandbox, port: int = 0) -> Iterator[Sandbox]:
    """Serve *sandbox* from a thread, at its ``origin``."""
    server = Server(sandbox, port)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield sandbox
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _overview(sandbox: Sandbox) -> str:
    make = "".join(
        f'<form method="post" action="/visits"><input type="hidden" name="provider" '
        f'value="{escape(name)}"><button>New participant from {escape(name)}</button></form> '
        for name in sandbox.studies
    )
    frame = '<p><a href="/frame">MTurk preview in a frame</a></p>'
    visits = "".join(_row(visit) for visit in reversed(sandbox.visits.values()))
    return (
        f"<h1>Crowd sandbox</h1><p>A fake platform for <code>{escape(sandbox.ours)}</code>.</p>"
        f"<p>{make}</p>{frame if 'mturk' in sandbox.studies else ''}{visits}"
    )


def _row(visit: Visit) -> str:
    way = f"/frame?session={quote(visit.session)}" if visit.provider == "mturk" else visit.link
    events = "".join(
        f'<form method="post" action="/events"><input type="hidden" name="session" '
        f'value="{escape(visit.session)}"><input type="hidden" name="event" value="{name}">'
        f"<button>{name}</button></form> "
        for name in EVENTS[visit.provider]
    )
    return (
        f"<section><h2>{escape(visit.provider)}: {escape(visit.participant)}</h2>"
        f'<p><a href="{escape(way)}">Start the task</a> as session '
        f"<code>{escape(visit.session)}</code></p><p>Send: {events}</p>"
        f"<p>Received: <code>{escape(json.dumps(visit.received))}</code></p>"
        f"<p>Events: <code>{escape(json.dumps(visit.events))}</code></p></section>"
    )


def _frame(sandbox: Sandbox, session: str) -> str:
    if "mturk" not in sandbox.studies:
        return "<h1>No MTurk study is simulated here.</h1>"
    visit = sandbox.visits.get(session)
    link = visit.link if visit else sandbox.preview()
    title = "The task" if visit else "Preview"
    return f'<h1>{title}</h1><iframe title="{title}" src="{escape(link)}"></iframe>'
