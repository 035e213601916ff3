"""What a served library lets nobody take for long: its processes, its connections, its end."""

from __future__ import annotations

import asyncio
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from pagereel.library import Library
from pagereel.library.serving import connections, server
from pagereel.library.serving.library_service import LibraryService
from pagereel.library.serving.server import ServeOptions
from pagereel.library.serving.worker import RequestRefusedError, TaskLimits

from .runs import made
from .server import tokens

SLEEPS = "import time; time.sleep(600)"
ALLOCATES = "b = [bytearray(64 << 20) for _ in range(100)]; del b"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Library(tmp_path / "runs") as library:
        library.add(made(tmp_path / "a.reel", "Thank you", id="run-0000", agent="ann"))
    return tmp_path / "runs"


@pytest.fixture
def service(folder: Path) -> Iterator[LibraryService]:
    with closing(
        LibraryService(folder, TaskLimits(seconds=1.0, seconds_mib=0, seconds_first=60, memory=400 << 20))
    ) as service:
        service.run_upload(dict, upload=folder / "library.log")  # the process is there, and its first seconds are over
        yield service


def script(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "task.py"
    path.write_text(text)
    return path


# -- tasks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("does", "said"), [(SLEEPS, "takes longer"), (ALLOCATES, "MemoryError")])
def test_a_task_ends_with_422_where_it_takes_more_than_it_may(
    service: LibraryService, tmp_path: Path, does: str, said: str
) -> None:
    task = script(tmp_path, does)
    with pytest.raises(RequestRefusedError, match=said) as refused:
        service.run_upload(runpy.run_path, str(task), upload=task)
    assert refused.value.status == 422
    assert service.run_upload(dict, upload=task) == {}, "the next one is done"


def test_a_larger_recording_may_take_longer() -> None:
    limits = TaskLimits()
    assert limits.compute_time_limit(20 << 20) >= 20 * limits.compute_time_limit(0)


def test_what_an_upload_does_holds_up_nobody_who_looks(service: LibraryService, tmp_path: Path) -> None:
    task, path = script(tmp_path, SLEEPS), tmp_path / "made"
    service._taking.limits = TaskLimits()
    upload = service._taking.queue_task(runpy.run_path, str(task))
    shows = tmp_path / "shows.py"
    shows.write_text(f"open({str(path)!r}, 'w').close()")
    service.make_file_once(path, None, runpy.run_path, str(shows))
    assert path.exists() and not upload.done()


def test_what_a_task_that_was_cut_off_began_to_write_is_removed(service: LibraryService, tmp_path: Path) -> None:
    made = tmp_path / "run.reel"
    task = script(tmp_path, f"open({str(tmp_path / '.abc.run.reel')!r}, 'w').close(); {SLEEPS}")
    service._showing.limits = TaskLimits(seconds=1.0, seconds_mib=0, seconds_first=5.0)
    with pytest.raises(RequestRefusedError):
        service.make_file_once(made, None, runpy.run_path, str(task))
    assert not (tmp_path / ".abc.run.reel").exists()


# -- the end ----------------------------------------------------------------------------------------------------------

SERVES = """
import asyncio, runpy, sys, threading, time
from pathlib import Path
from pagereel.library.serving import server
def main():
    folder, task = sys.argv[1:]
    with server.open_site(Path(folder), server.ServeOptions(port=0)) as (site, address, sockets):
        def busy():
            try:
                site.service.run_upload(runpy.run_path, task, upload=Path(task))
            except Exception as error:
                print(error, flush=True)
        thread = threading.Thread(target=busy)
        def ready():
            thread.start()
            while site.service._taking._process is None:
                time.sleep(0.01)
            print(site.service._taking._process._process.pid, flush=True)
        asyncio.run(server._run_both_servers(site, sockets, ready))
        site.service.close()
        thread.join()
if __name__ == "__main__":
    main()
"""


@contextmanager
def busy_server(folder: Path, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Give a server, and the process in which it works on something without an end."""
    (tmp_path / "serves.py").write_text(SERVES)
    task = script(tmp_path, f"open({str(tmp_path / 'begun')!r}, 'w').close(); {SLEEPS}")
    process = subprocess.Popen(
        [sys.executable, str(tmp_path / "serves.py"), str(folder), str(task)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        wait_for(lambda: (tmp_path / "begun").exists())
        yield process, worker
    finally:
        process.kill()
        process.communicate()


def wait_for(true: object, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < until, "it never came"
        time.sleep(0.02)


def there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] not in "ZX"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_ends_at_once_and_says_nothing_whatever_is_under_way(
    folder: Path, tmp_path: Path, number: signal.Signals
) -> None:
    with busy_server(folder, tmp_path) as (process, worker):
        began = time.monotonic()
        process.send_signal(number)
        said, wrong = process.communicate(timeout=30)
        assert (process.returncode, said.strip(), wrong) == (0, "The server is ending.", "")
        assert time.monotonic() - began < 5
        assert not there(worker)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_server_leaves_no_process(folder: Path, tmp_path: Path) -> None:
    with busy_server(folder, tmp_path) as (process, worker):
        assert there(worker)
        process.kill()
        process.wait()
        wait_for(lambda: not there(worker), 10)


# -- connections ------------------------------------------------------------------------------------------------------


@pytest.fixture
def near(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """Serve in this process, with a shorter patience and fewer connections."""
    for name, value in {"HEAD_S": 0.5, "_SILENT_S": 0.5, "_SOON_S": 1.5, "_UNREAD_S": 0.5, "MOST": 8}.items():
        monkeypatch.setattr(connections, name, value)
    options = ServeOptions(port=0, tokens=tokens(tmp_path / "tokens.toml"), largest=1 << 20)
    ready = threading.Event()
    with server.open_site(folder, options) as (site, _, sockets):
        host, port = sockets[0].getsockname()[:2]
        loops: list[asyncio.AbstractEventLoop] = []

        async def both() -> None:
            loops.append(asyncio.get_running_loop())
            await server._run_both_servers(site, sockets, ready.set, stop)

        stop = asyncio.Event()
        thread = threading.Thread(target=asyncio.run, args=(both(),))
        thread.start()
        assert ready.wait(30)
        yield host, port
        loops[0].call_soon_threadsafe(stop.set)
        thread.join(30)
        assert not thread.is_alive()


HEAD = "{} HTTP/1.1\r\nHost: {}:{}\r\nAuthorization: Bearer {}\r\n"


def said(connection: socket.socket) -> bytes:
    """Return all that comes until the other side ends."""
    connection.settimeout(20)
    got = b""
    try:
        while block := connection.recv(1 << 16):
            got += block
    except ConnectionError:
        pass
    return got


@pytest.mark.parametrize("sent", ["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n"], ids=["nothing", "a line", "headers"])  # fmt: skip
def test_half_a_head_is_not_waited_for(near: tuple[str, int], sent: str) -> None:
    with socket.create_connection(near) as connection:
        connection.sendall(sent.encode())
        assert said(connection) == b""


def test_a_head_that_drips_ends_as_well(near: tuple[str, int]) -> None:
    with socket.create_connection(near) as connection:
        began = time.monotonic()
        with pytest.raises(OSError):
            for _ in range(100):
                connection.sendall(b"GET / HTTP/1.1\r\nX-A: b\r\n"[:1])
                time.sleep(0.1)
        assert time.monotonic() - began < 8


@pytest.mark.parametrize("path", ["POST /api/v1/runs", "POST /login"])
@pytest.mark.parametrize("drips", [False, True], ids=["half", "drips"])
def test_a_body_that_does_not_come_is_not_waited_for(near: tuple[str, int], path: str, drips: bool) -> None:
    with socket.create_connection(near) as connection:
        head = HEAD.format(path, *near, "writer") + "Connection: close\r\nContent-Length: 4000\r\n\r\n"
        connection.sendall((head + "half").encode())
        if drips:
            for _ in range(100):
                try:
                    connection.sendall(b"x")
                except OSError:
                    break
                time.sleep(0.1)
            else:
                pytest.fail("it was taken for ten seconds")
        else:
            assert b" 408 " in said(connection)


@pytest.mark.parametrize("token", ["writer", "reader", "nobody"])
def test_a_body_that_is_announced_as_too_large_is_refused_before_it_comes(near: tuple[str, int], token: str) -> None:
    status = {"writer": b"HTTP/1.1 413 ", "reader": b"HTTP/1.1 403 ", "nobody": b"HTTP/1.1 401 "}[token]
    with socket.create_connection(near) as connection:
        connection.sendall(
            (HEAD.format("POST /api/v1/runs", *near, token) + f"Content-Length: {50 << 20}\r\n\r\n").encode()
        )
        connection.settimeout(10)
        assert connection.recv(1 << 16).startswith(status)


def test_who_says_nothing_takes_no_place_from_who_does(near: tuple[str, int]) -> None:
    silent = [socket.create_connection(near) for _ in range(30)]
    try:
        for each in silent:
            each.sendall(b"GET / HTTP/1.1\r\n")
        with socket.create_connection(near) as connection:
            connection.sendall(
                (HEAD.format("GET /api/v1/runs", *near, "reader") + "Connection: close\r\n\r\n").encode()
            )
            assert said(connection).startswith(b"HTTP/1.1 200 ")
    finally:
        for each in silent:
            each.close()


def test_who_does_not_read_an_answer_is_left(near: tuple[str, int]) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(near)
        asked = (HEAD.format("GET /pages.css", *near, "reader") + "\r\n").encode()
        with pytest.raises(OSError):
            for _ in range(400):
                connection.sendall(asked * 50)
                time.sleep(0.02)


# -- links of other sites -----------------------------------------------------------------------------------------------

OTHER = "Accept: text/html\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Site: {}\r\nConnection: close\r\n"


def opened(near: tuple[str, int], path: str, site: str, more: str = "") -> bytes:
    with socket.create_connection(near) as connection:
        connection.sendall(
            (f"GET {path} HTTP/1.1\r\nHost: {near[0]}:{near[1]}\r\n{OTHER.format(site)}{more}\r\n").encode()
        )
        return said(connection)


def cookie(near: tuple[str, int], role: str) -> str:
    return f"Cookie: pagereel_{near[1]}={role}\r\n"


@pytest.mark.parametrize(
    ("site", "more", "becomes"),
    [("none", "", True), ("same-origin", "", True), ("cross-site", "", False), ("same-site", "", False), ("none", "reader", False), ("none", "admin", True)],
)  # fmt: skip
def test_nobody_becomes_somebody_else_by_a_link(near: tuple[str, int], site: str, more: str, becomes: bool) -> None:
    answer = opened(near, "/login?token=admin", site, cookie(near, more) if more else "")
    assert (b"set-cookie" in answer.lower()) is becomes
    if not becomes:
        assert b"Sign in as the admin?" in answer and b'method="post" action="/login"' in answer


def test_a_reason_that_another_site_gives_is_asked_again(near: tuple[str, int]) -> None:
    asked = "/runs/run-0000?reason=so+they+said&t=1"
    again = opened(near, asked, "cross-site")
    assert b'content="0; url=/runs/run-0000?linked_reason=so+they+said&amp;t=1"' in again
    for path, site in ((asked, "cross-site"), ("/runs/run-0000?linked_reason=so+they+said&t=1", "same-origin")):
        for role in ("raw", "admin"):
            form = opened(near, path, site, cookie(near, role))
            assert form.startswith(b"HTTP/1.1 400 ") and b'value="so they said"' in form
            assert b'name="t" value="1"' in form and b'type="hidden" name="linked_reason"' not in form
    assert opened(near, asked, "same-origin", cookie(near, "raw")).startswith(b"HTTP/1.1 200 ")
