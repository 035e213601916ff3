"""Serves Django's own admin in Hebrew, with users, groups and a model of ours."""

import os
import sys
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line

HERE = Path.cwd()
settings.configure(
    DEBUG=True, SECRET_KEY="not a secret", ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, LANGUAGE_CODE="he", USE_TZ=True, TIME_ZONE="UTC",
    STATIC_URL="/static/", DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": HERE / "db.sqlite3"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", "django.contrib.staticfiles"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": [
        "django.template.context_processors.request", "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]}}],
)  # fmt: skip
django.setup()

from django.contrib import admin  # noqa: E402
from django.urls import path  # noqa: E402

urlpatterns = [path("admin/", admin.site.urls)]

if __name__ == "__main__":
    sys.modules["__main__"].__dict__["urlpatterns"] = urlpatterns
    from django.contrib.auth.models import Group, User

    if not os.environ.get("RUN_MAIN"):
        call_command("migrate", verbosity=0)
        User.objects.create_superuser("admin", "admin@kiln.example", "clay")
        for number in range(30):
            User.objects.create_user(f"potter{number}", first_name="קדר", last_name=f"מספר {number}")
        Group.objects.create(name="כבשן")
    execute_from_command_line(["kiln", "runserver", "--noreload", f"127.0.0.1:{sys.argv[1]}"])
