"""Machines as network namespaces: what they share is what is passed on to them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_server
from urllib.parse import parse_qs, urlsplit

from tests.races.processes import database_url
from winoplatform.processes.supervisor import end_with_parent

NETWORK = "10.77.{}.{}"
CLIENTS = "10.78.0.0/16"  # addresses of this namespace, from which clients ask machines


@dataclass(frozen=True)
class Machine:
    """A network namespace, its address, that at which it reaches this one, and its folder."""

    name: str
    address: str
    gateway: str
    folder: Path

    def within(self, *words: str) -> list[str]:
        """Return a command that is executed on the machine."""
        return ["ip", "netns", "exec", self.name, *words]

    def manage(self, *words: str) -> list[str]:
        return self.within(sys.executable, "manage.py", *words)


@contextmanager
def machine(number: int, folder: Path) -> Iterator[Machine]:
    """Make a network namespace that reaches one address of this one, and nothing else."""
    own = f"{os.getpid()}x{number}"
    name, here, there = f"wino{own}", f"wh{own}", f"wt{own}"
    gateway, address = NETWORK.format(number, 1), NETWORK.format(number, 2)
    _ip("netns", "add", name)
    try:
        _ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name)
        _ip("addr", "add", f"{gateway}/24", "dev", here)
        _ip("link", "set", here, "up")
        _ip("-n", name, "addr", "add", f"{address}/24", "dev", there)
        _ip("-n", name, "link", "set", there, "up")
        folder.mkdir()
        yield Machine(name, address, gateway, folder)
    finally:
        _ip("netns", "del", name)  # and with it both ends of the link


@contextmanager
def clients_of(machines: list[Machine]) -> Iterator[None]:
    """Let clients here ask machines, each from an address of its own; a machine has a loopback."""
    _ip("route", "add", "local", CLIENTS, "dev", "lo")
    try:
        for at in machines:
            _ip("-n", at.name, "link", "set", "lo", "up")
            _ip("-n", at.name, "route", "add", CLIENTS, "via", at.gateway)
        yield
    finally:
        _ip("route", "del", "local", CLIENTS, "dev", "lo")


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def relay(at: Machine, target: str) -> int:
    """Pass connections to a port of the machine's gateway on to *target*, until this process ends.

    By a process of its own, so that it does not wait for what this one computes.
    """
    with create_server((at.gateway, 0), backlog=512) as listening:
        number = listening.fileno()
        command = [sys.executable, "-m", "benchmarks.relay", str(number), target]
        subprocess.Popen(command, pass_fds=(number,), preexec_fn=end_with_parent)
        return int(listening.getsockname()[1])


def environment(at: Machine, endpoint: str, *, redis: str = "") -> dict[str, str]:
    """Return the settings of a machine's processes; without *redis* they find none."""
    address = urlsplit(database_url())
    place = {name: value for name, [value] in parse_qs(address.query).items()}
    folder, number = place.get("host", ""), place["port"]
    target = f"{folder}/.s.PGSQL.{number}" if folder.startswith("/") else f"{folder}:{number}"
    database, bucket = relay(at, target), relay(at, endpoint.removeprefix("http://"))
    login = address.netloc.removesuffix("@")
    return os.environ | {
        "DATABASE_URL": f"postgres://{login}@{at.gateway}:{database}{address.path}",
        "REDIS_URL": _redis(at, redis) if redis else f"redis://{at.gateway}:1/0",
        "ARTIFACTS_URL": "s3://wino/artifacts",
        "ARTIFACTS_ENDPOINT": f"http://{at.gateway}:{bucket}",
        "ARTIFACTS_KEY_ID": "key",
        "ARTIFACTS_SECRET_KEY": "secret",
        "VAR_DIR": str(at.folder),
        "OMP_NUM_THREADS": "1",
        "RUN_LEASE_SECONDS": "6",
    }


def _redis(at: Machine, url: str) -> str:
    address = urlsplit(url)
    login, _, target = address.netloc.rpartition("@")
    place = f"{at.gateway}:{relay(at, target)}"
    return address._replace(netloc=f"{login}@{place}" if login else place).geturl()
