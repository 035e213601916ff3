"""Serves contacts in Flask-AppBuilder: `contacts_app.py PORT`."""

import datetime
import json
import sys
from pathlib import Path

from flask import Flask
from flask_appbuilder import AppBuilder, Model, ModelView
from flask_appbuilder.models.sqla.base import SQLA
from flask_appbuilder.models.sqla.interface import SQLAInterface
from sqlalchemy import Column, Date, ForeignKey, Integer, String
from sqlalchemy.orm import relationship

app = Flask(__name__)
app.config |= {"SECRET_KEY": "not a secret, but a long one for the session", "SQLALCHEMY_DATABASE_URI": f"sqlite:///{Path.cwd() / 'db.sqlite'}", "CSRF_ENABLED": True, "APP_NAME": "Kiln contacts", "FAB_API_SWAGGER_UI": False}  # fmt: skip
db = SQLA(app)
TOLD = json.loads(Path("people.json").read_text("utf-8"))


class Team(Model):
    __tablename__ = "team"
    id = Column(Integer, primary_key=True)
    name = Column(String(50), unique=True)

    def __repr__(self) -> str:
        return self.name


class Contact(Model):
    __tablename__ = "contact"
    id = Column(Integer, primary_key=True)
    name = Column(String(150))
    email = Column(String(150))
    address = Column(String(250))
    personal_phone = Column(String(40))
    birthday = Column(Date)
    employer = Column(String(120))
    team_id = Column(Integer, ForeignKey("team.id"))
    team = relationship("Team")

    def __repr__(self) -> str:
        return self.name


class Contacts(ModelView):
    datamodel = SQLAInterface(Contact)
    list_title, show_title, edit_title, add_title = "Contacts", "Contact", "Edit Contact", "Add Contact"
    list_columns = ("name", "personal_phone", "email", "employer", "birthday", "team.name")
    add_columns = edit_columns = show_columns = ("name", "email", "address", "personal_phone", "birthday", "employer", "team")  # fmt: skip


with app.app_context():
    appbuilder = AppBuilder(app, db.session)
    appbuilder.add_view(Contacts, "Contacts", icon="fa-envelope", category="People")
    db.create_all()
    clerk = TOLD[0]
    appbuilder.sm.add_user("clerk", clerk["first"], clerk["last"], clerk["email"], appbuilder.sm.find_role("Admin"), "clay")  # fmt: skip
    teams = [Team(name=name) for name in ("Glazing", "Firing", "Shop")]
    db.session.add_all(teams)
    for number, one in enumerate(TOLD[1:]):
        db.session.add(Contact(name=one["name"], email=one["email"], address=f"{one['street']}, {one['city']}", personal_phone=one["phone"], birthday=datetime.date.fromisoformat(one["born"]), employer=one["company"], team=teams[number % 3]))  # fmt: skip
    db.session.commit()

app.run("127.0.0.1", int(sys.argv[1]))
