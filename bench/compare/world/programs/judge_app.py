"""Serves one of the judge's applications, budget or wiki: `python judge_app.py NAME PORT` in the folder that holds its data."""

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


class ThreadedServer(WSGIServer):
    def process_request(self, request, address):
        threading.Thread(target=self._answer_request, args=(request, address), daemon=True).start()

    def _answer_request(self, request, address):
        with contextlib.suppress(OSError):
            self.finish_request(request, address)
        self.shutdown_request(request)


class QuietRequestHandler(WSGIRequestHandler):
    def log_message(self, *said):
        pass


def budget():
    """Return Ihatemoney's WSGI application, a budget that several people share."""
    from ihatemoney.run import create_app

    Path("settings.cfg").write_text(
        f'SQLALCHEMY_DATABASE_URI = "sqlite:///{Path("budget.db").resolve()}"\nSQLALCHEMY_TRACK_MODIFICATIONS = False\nSECRET_KEY = "not one"\n'
        "ACTIVATE_DEMO_PROJECT = True\nMAIL_SUPPRESS_SEND = True\n"
    )
    os.environ["IHATEMONEY_SETTINGS_FILE_PATH"] = str(Path("settings.cfg").resolve())
    return create_app()


def wiki():
    """Return Trac's WSGI application with tickets and a wiki, which anybody may change."""
    home = Path("wiki").resolve()

    def run_trac_admin(*told):
        subprocess.run([Path(sys.executable).parent / "trac-admin", home, *told], check=True, capture_output=True)

    run_trac_admin("initenv", "Kiln", "sqlite:db/trac.db")
    run_trac_admin("permission", "add", "anonymous", "TRAC_ADMIN")
    from trac.env import open_environment
    from trac.ticket.model import Ticket
    from trac.web.main import dispatch_request

    kept = open_environment(str(home))
    for title, part in (("The wheel squeaks", "component1"), ("Kiln door does not close", "component2"), ("Order more cobalt", "component1"), ("Repaint the sign", "component2")):  # fmt: skip
        ticket = Ticket(kept)
        for field, value in (("summary", title), ("component", part), ("reporter", "keeper"), ("status", "new"), ("type", "defect"), ("priority", "major")):  # fmt: skip
            ticket[field] = value
        ticket.insert()

    def answer_wsgi(environ, start):
        environ["trac.env_path"] = str(home)
        return dispatch_request(environ, start)

    return answer_wsgi


if __name__ == "__main__":
    name, port = sys.argv[1], int(sys.argv[2])
    make_server("127.0.0.1", port, globals()[name](), ThreadedServer, QuietRequestHandler).serve_forever()
