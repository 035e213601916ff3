"""Serves I Hate Money, a shared budget: `budget_app.py PORT`. It begins empty; the errand types its data."""

import sys
from pathlib import Path

Path("settings.py").write_text(
    f'SQLALCHEMY_DATABASE_URI = "sqlite:///{Path.cwd()}/budget.db"\nSECRET_KEY = "of this run alone"\nACTIVATE_DEMO_PROJECT = False\n'
    "ALLOW_PUBLIC_PROJECT_CREATION = True\nMAIL_SUPPRESS_SEND = True\nSESSION_COOKIE_SECURE = False\nENABLE_CAPTCHA = False\n",
    encoding="utf-8",
)
import os  # noqa: E402

os.environ["IHATEMONEY_SETTINGS_FILE_PATH"] = str(Path("settings.py").resolve())
from ihatemoney.run import create_app  # noqa: E402

create_app().run(host="127.0.0.1", port=int(sys.argv[1]))
