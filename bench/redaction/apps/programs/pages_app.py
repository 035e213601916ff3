"""Serves Wagtail's administration over pages and people: `pages_app.py PORT LANGUAGE`; the people are read from people.json."""

import json
import os
import subprocess
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
port, language = sys.argv[1:3]
subprocess.run([BIN / "wagtail", "start", "studio"], check=True)
os.chdir("studio")
with Path("studio/settings/dev.py").open("a") as settings:
    settings.write(f'\nLANGUAGE_CODE = "{language}"\nLANGUAGES = [("{language}", "{language}")]\nWAGTAILADMIN_PERMITTED_LANGUAGES = LANGUAGES\nWAGTAIL_ENABLE_UPDATE_CHECK = False\n')  # fmt: skip
sys.path.insert(0, ".")
os.environ["DJANGO_SETTINGS_MODULE"] = "studio.settings.dev"

import django  # noqa: E402 - the settings exist now
from django.core.management import call_command  # noqa: E402

django.setup()
call_command("migrate", verbosity=0)

from django.contrib.auth import get_user_model  # noqa: E402
from home.models import HomePage  # noqa: E402

told = json.loads(Path("../people.json").read_text("utf-8"))
users = get_user_model().objects
users.create_superuser(told[0]["user"], told[0]["email"], "clay-and-ash-19", first_name=told[0]["first"], last_name=told[0]["last"])  # fmt: skip
for one in told[1:9]:
    users.create_user(one["user"], one["email"], "clay-and-ash-19", first_name=one["first"], last_name=one["last"])
root = HomePage.objects.get()
for one in told[9:14]:
    root.add_child(instance=HomePage(title=one["name"], slug=f"p{one['number']}", search_description=f"{one['company']} {one['phone']}"))  # fmt: skip
call_command("runserver", f"127.0.0.1:{port}", "--noreload", "--insecure")
