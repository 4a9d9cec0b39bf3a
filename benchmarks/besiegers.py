"""Clients that mean harm, in a process of their own: asyncio, no Django, loopback only.

Called by ``benchmarks.siege`` with a description in JSON on standard input; SIGTERM ends it.
"""

import asyncio
import json
import signal
import socket
import ssl
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

SMALL_BUFFER = 4096  # bytes that the kernel takes for who reads nothing
HELD_SECONDS = 10  # then an idle reader asks again
WAVE_SECONDS = 2
READ_SECONDS = 5
# Not the default, which loads all authorities.
TRUSTING = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE
answered: Counter[str] = Counter()

Attack = Callable[[], Awaitable[None]]
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Besiegers:
    """Each attack is a coroutine that goes on until it is cancelled."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.told, self.number = told, 0

    async def connected(self) -> Stream:
        """Connect from an address of its own, as clients all over the world would."""
        self.number += 1
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        plain.setblocking(False)
        plain.bind((f"127.2.{self.number // 250 % 250}.{self.number % 250 + 1}", 0))
        await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", self.told["port"]))
        if not self.told["tls"]:
            return await asyncio.open_connection(sock=plain)
        return await asyncio.open_connection(sock=plain, ssl=TRUSTING, server_hostname="localhost")

    async def idle_reader(self, path: str, token: str) -> None:
        _, writer = await self.connected()
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(_request("GET", path, token))
        answered["idle reader"] += 1
        await asyncio.sleep(HELD_SECONDS)
        writer.close()

    async def slow_body(self, token: str) -> None:
        _, writer = await self.connected()
        writer.write(_request("POST", self.told["claim"], token, length=1_000))
        answered["slow body"] += 1
        for _ in range(20):
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(1)
        writer.close()

    async def sign_in(self, account: dict[str, str]) -> None:
        body = json.dumps(account).encode()
        answered[f"sign-in {await self._sent('/api/v1/tokens/', '', body)}"] += 1
        await asyncio.sleep(WAVE_SECONDS)

    async def visitor(self, page: str) -> None:
        """Read a public page to its end, then think: all of them come at the same moment.

        A ``#`` in its address is another number each time, so that no answer is kept for it.
        """
        reader, writer = await self.connected()
        writer.write(_request("GET", page.replace("#", str(self.number)), ""))
        head = await reader.readline()
        await reader.read()
        writer.close()
        answered[f"page {head[9:12].decode() or 'broken'}"] += 1
        await asyncio.sleep(READ_SECONDS)

    async def worst_text(self, token: str, body: bytes) -> None:
        answered[f"text {await self._sent(self.told['check'], token, body)}"] += 1
        await asyncio.sleep(0.1)

    async def _sent(self, path: str, token: str, body: bytes) -> str:
        reader, writer = await self.connected()
        writer.write(_request("POST", path, token, length=len(body)) + body)
        head = await reader.readline()
        writer.close()
        return head[9:12].decode() or "broken"


def _request(method: str, path: str, token: str, *, length: int = 0) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
    lines += [f"Authorization: Token {token}"] if token else []
    if method == "POST":
        lines += [f"Content-Length: {length}", "Content-Type: application/json"]
    return "\r\n".join([*lines, "", ""]).encode()


async def for_ever(attack: Attack) -> None:
    while True:
        try:
            await asyncio.wait_for(attack(), 60)
        except (OSError, TimeoutError):
            answered["broken"] += 1
            await asyncio.sleep(0.5)


def attacks_of(by: Besiegers, told: dict[str, Any]) -> dict[str, list[Attack]]:
    """Return the attacks by kind; each is repeated by a client of its own."""
    downloads, writer = told["downloads"], told["writer"]
    bodies = [json.dumps(text).encode() for text in told["texts"]]
    return {
        "readers": [
            partial(by.idle_reader, downloads[number % len(downloads)], told["curator"])
            for number in range(told["readers"])
        ],
        "visitors": [
            partial(by.visitor, told["pages"][number % len(told["pages"])])
            for number in range(told["readers"])
        ],
        "bodies": [partial(by.slow_body, token) for token in told["tokens"]],
        "sign-ins": [partial(by.sign_in, account) for account in told["accounts"]],
        "texts": [partial(by.worst_text, writer, body) for body in bodies],
    }


async def main() -> None:
    told = json.load(sys.stdin)
    by_kind = attacks_of(Besiegers(told), told)
    attacks = [each for kind in told["attacks"] for each in by_kind.get(kind, ())]
    under_way = asyncio.gather(asyncio.Event().wait(), *map(for_ever, attacks))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, under_way.cancel)
    with suppress(asyncio.CancelledError):
        await under_way
    print(", ".join(f"{n} × {what}" for what, n in sorted(answered.items())))


if __name__ == "__main__":
    asyncio.run(main())
