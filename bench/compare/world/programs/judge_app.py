"""The judge's applications: `python judge_app.py NAME PORT` serves one of them from the folder that it runs in."""

import contextlib
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


class Threaded(WSGIServer):
    def process_request(self, request, address):
        threading.Thread(target=self._one, args=(request, address), daemon=True).start()

    def _one(self, request, address):
        with contextlib.suppress(OSError):
            self.finish_request(request, address)
        self.shutdown_request(request)


class Quiet(WSGIRequestHandler):
    def log_message(self, *said):
        pass


def admin():
    """Django's own admin over its users and groups."""
    import django
    from django.conf import settings

    settings.configure(
        DEBUG=True, SECRET_KEY="not one", ALLOWED_HOSTS=["*"], ROOT_URLCONF="judge_urls", STATIC_URL="/static/", USE_TZ=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}}, DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        INSTALLED_APPS=["django.contrib." + name for name in ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")],
        MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
                    "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware"],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]}}],
    )  # fmt: skip
    Path("judge_urls.py").write_text(
        "from django.contrib import admin\nfrom django.urls import path\nurlpatterns = [path('admin/', admin.site.urls)]\n"
    )
    sys.path.insert(0, ".")
    django.setup()
    from django.contrib.auth.models import Group, User
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.management import call_command
    from django.core.wsgi import get_wsgi_application

    Path("db.sqlite3").unlink(missing_ok=True)
    call_command("migrate", verbosity=0)
    User.objects.create_superuser("keeper", "keeper@kiln.example", "clay and ash")
    for name, first, last in (("ines", "Ines", "Moreau"), ("joost", "Joost", "Visser"), ("mirela", "Mirela", "Pop"), ("tom", "Tom", "Ashby"), ("aiko", "Aiko", "Mori")):  # fmt: skip
        User.objects.create_user(name, f"{name}@kiln.example", f"{name} has one", first_name=first, last_name=last)
    for name in ("Throwers", "Glazers", "Packers"):
        Group.objects.create(name=name)
    return StaticFilesHandler(get_wsgi_application())


def tickets():
    """Roundup's classic tracker."""
    from roundup.cgi import wsgi_handler

    bin_, home = Path(sys.executable).parent, Path("tracker").resolve()
    shutil.rmtree(home, ignore_errors=True)

    def run(*told):
        subprocess.run([bin_ / "roundup-admin", "-i", home, *told], check=True, capture_output=True)

    run("install", "classic", "sqlite", "tracker_web=http://127.0.0.1/,mail_domain=kiln.example,mail_host=localhost")
    config = home / "config.ini"
    config.write_text(
        re.sub(
            r"(?m)^(csrf_(?:enforce_.*?|header_min_count)) = .*",
            lambda m: m[1] + (" = 0" if "count" in m[1] else " = no"),
            config.read_text(),
        )
    )
    run("initialise", "clay and ash")
    for title, priority in (("The wheel squeaks", "bug"), ("Kiln door does not close", "critical"), ("A shelf for tall jars", "wish"), ("Order more cobalt", "urgent"), ("Repaint the sign", "feature")):  # fmt: skip
        run("create", "issue", f"title={title}", f"priority={priority}", "status=unread")
    app = wsgi_handler.RequestDispatcher(str(home))

    def served(environ, start):
        app.tracker.config["TRACKER_WEB"] = f"http://{environ['HTTP_HOST']}/"
        return app(environ, start)

    return served


def board():
    """The dashboard of Optuna, while a study goes on."""
    import optuna
    from optuna_dashboard import wsgi

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    storage = optuna.storages.InMemoryStorage()
    for name in ("celadon", "tenmoku", "ash-white"):
        study = optuna.create_study(storage=storage, study_name=name, direction="minimize")
        study.optimize(lambda trial: (trial.suggest_float("heat", 1200, 1300) - 1240) ** 2, n_trials=4)

    def fire():
        while True:
            study.optimize(lambda trial: (trial.suggest_float("heat", 1200, 1300) - 1240) ** 2, n_trials=1)
            time.sleep(random.uniform(1, 4))

    threading.Thread(target=fire, daemon=True).start()
    return wsgi(storage)


if __name__ == "__main__":
    name, port = sys.argv[1], int(sys.argv[2])
    make_server("127.0.0.1", port, globals()[name](), Threaded, Quiet).serve_forever()
