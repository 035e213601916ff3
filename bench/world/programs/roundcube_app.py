"""Serves an e-mail client: Roundcube from its Debian packages, run by the machine's PHP, over an IMAP server that keeps its letters in memory."""

import email.message
import email.utils
import imaplib
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

HERE = Path.cwd()
USER, PASSWORD = "ines.halloran@kiln.example", "clay-and-ash-19"
PEOPLE = ["Teodor Vasile", "Maren Oduya", "Pavel Lindqvist", "Amina Benkirane", "Joost van Deventer", "Kiln Supplies"]
SUBJECTS = ["The kiln is booked", "Invoice 2026-118", "Re: crazing", "Shelves have come", "Photographs of the fair", "Clay by the tonne", "Your order is on its way", "Lunch on Thursday?",
            "Cone 10 next week", "Minutes of the meeting", "Salt or soda", "A question about handles"]  # fmt: skip
START = 1_795_000_000
"""Of the first letter, in seconds; one a night follows."""


def make_letter(number: int) -> bytes:
    """Return a letter, by its number from one of several people, with attachments in some."""
    who = PEOPLE[number % len(PEOPLE)]
    message = email.message.EmailMessage()
    message["From"] = email.utils.formataddr((who, f"{who.split()[0].lower()}@kiln.example"))
    message["To"] = email.utils.formataddr(("Ines Halloran", USER))
    message["Subject"] = SUBJECTS[number % len(SUBJECTS)]
    message["Date"] = email.utils.formatdate(START + number * 86400)
    message["Message-ID"] = f"<{number}@kiln.example>"
    message.set_content(
        f"Dear Ines,\n\nfiring {number} went up to {1200 + number} °C.\n\n> How slowly did it cool?\n\nA night.\n\nYours,\n{who}\n"
    )
    if number % 3 == 0:
        message.add_alternative(f"<h2 style='color:#b3541e'>{message['Subject']}</h2><table border=1 cellpadding=6><tr><th>pot</th><th>price</th></tr><tr><td>Moon jar</td><td>€ {number}.50</td></tr></table><p>Yours,<br><b>{who}</b></p>", subtype="html")  # fmt: skip
    if number % 4 == 1:
        message.add_attachment("glaze,cone\nceladon,10\n", filename="glazes.csv")
    return message.as_bytes()


def deliver_letters(port: int) -> None:
    """Put the letters into the mailbox over IMAP, once the server answers."""
    for _ in range(300):
        try:
            server = imaplib.IMAP4("127.0.0.1", port)
            break
        except OSError:
            time.sleep(0.1)
    server.login(USER, PASSWORD)
    for folder in ("Sent", "Drafts", "Trash", "Junk", "Firings"):
        server.create(folder)
        server.subscribe(folder)
    for number in range(18):
        server.append("INBOX", "(\\Seen)" if number % 3 else "", imaplib.Time2Internaldate(START + number * 86400), make_letter(number))  # fmt: skip
    server.logout()


def main(port: str, mail_port: str) -> None:
    share = Path(os.environ["DEBIAN"]) / "usr" / "share"
    imap = [str(Path(sys.executable).with_name("pymap")), "--host", "127.0.0.1", "--port", mail_port, "--no-tls", "dict", "--demo-user", USER, "--demo-password", PASSWORD]  # fmt: skip
    subprocess.Popen(imap)
    deliver_letters(int(mail_port))
    for folder in ("config", "logs", "temp"):
        (HERE / folder).mkdir()
    with sqlite3.connect(HERE / "roundcube.db") as base:
        base.executescript((share / "roundcube/SQL/sqlite.initial.sql").read_text())
    settings = {
        "db_dsnw": f"sqlite:///{HERE / 'roundcube.db'}?mode=0640", "imap_host": f"127.0.0.1:{mail_port}", "imap_auth_type": "PLAIN", "smtp_host": "127.0.0.1:1", "des_key": "not-a-secret-but-24-long",
        "product_name": "Kiln mail", "log_dir": f"{HERE / 'logs'}/", "temp_dir": f"{HERE / 'temp'}/", "skin": "elastic", "language": "en_GB", "identities_level": 0, "mime_types": None,
    }  # fmt: skip
    words = "".join(f"$config['{key}'] = {format_php_value(value)};\n" for key, value in settings.items())
    (HERE / "config" / "config.inc.php").write_text(f"<?php\n$config['plugins'] = [];\n{words}")
    defaults = Path(os.environ["DEBIAN"]) / "etc" / "roundcube"
    for file in ("defaults.inc.php", "mimetypes.php"):
        (HERE / "config" / file).write_bytes((defaults / file).read_bytes())
    (HERE / "before.php").write_text(f"<?php\ndefine('INSTALL_PATH', '{share}/roundcube/');\n")
    os.environ["ROUNDCUBE_CONFIG_DIR"] = str(HERE / "config")
    options = {"auto_prepend_file": HERE / "before.php", "include_path": f".:{share / 'php'}", "error_reporting": "0", "date.timezone": "UTC"}  # fmt: skip
    command = ["php", *(word for name, value in options.items() for word in ("-d", f"{name}={value}"))]
    subprocess.run([*command, "-S", f"127.0.0.1:{port}", "-t", str(share / "roundcube")], check=True, env={**os.environ, "PHP_CLI_SERVER_WORKERS": "4"})  # fmt: skip


def format_php_value(value: object) -> str:
    """Return a value as PHP source."""
    return "null" if value is None else str(value) if isinstance(value, int) else f"'{value}'"


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
