"""Serves Tryton's web client in Russian, with parties: `business_app.py PORT LANGUAGE`.

Its packages are in $MODULES; the people are read from people.json.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

port, language = sys.argv[1:]
TOLD = json.loads(Path("people.json").read_text("utf-8"))
BIN = Path(sys.executable).parent
Path("db").mkdir()
Path("db/studio.sqlite").touch()
Path("password").write_text("clay-and-ash-19")
os.environ["TRYTONPASSFILE"] = str(Path("password").resolve())
# The client looks for its libraries beside its page.
client = Path("client")
client.mkdir()
modules = Path(os.environ["MODULES"])
for one in (modules / "tryton-sao").iterdir():
    (client / one.name).symlink_to(one)
(client / "node_modules").symlink_to(modules)
for empty in ("custom.js", "custom.css"):
    (client / empty).touch()
Path("trytond.conf").write_text(
    f"[database]\nuri = sqlite://\npath = {Path('db').resolve()}\n[web]\nlisten = 127.0.0.1:{port}\nroot = {client.resolve()}\n"
)
admin = [BIN / "trytond-admin", "-c", "trytond.conf", "-d", "studio"]
subprocess.run([*admin, "--all", "--email", "clerk@studio.example", "-l", language], check=True)
subprocess.run([*admin, "-u", "party", "--activate-dependencies", "-l", language], check=True)
FILL = """
import json
from pathlib import Path
from trytond.config import config
config.update_etc("trytond.conf")
from trytond.pool import Pool
from trytond.transaction import Transaction
Pool.start()
pool = Pool("studio")
pool.init()
with Transaction().start("studio", 1) as transaction:
    [lang] = pool.get("ir.lang").search([("code", "=", LANGUAGE)])
    [user] = pool.get("res.user").search([("login", "=", "admin")])
    told = json.loads(Path("people.json").read_text("utf-8"))
    user.language = lang
    user.save()
    for number, one in enumerate(told):
        name = one["company"] if number % 4 == 3 else one["name"]
        pool.get("party.party").create([{
            "name": name, "lang": lang.id,
            "addresses": [("create", [{"street_unstructured": one["street"], "city": one["city"], "postal_code": one["number"][:6]}])],
            "contact_mechanisms": [("create", [{"type": "phone", "value": one["phone"]}, {"type": "email", "value": one["email"]}])],
        }])
    transaction.commit()
"""
subprocess.run([sys.executable, "-c", FILL.replace("LANGUAGE", repr(language))], check=True)
os.execv(BIN / "trytond", ["trytond", "-c", "trytond.conf", "-d", "studio"])
