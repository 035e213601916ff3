"""Serves Flask-Admin with one table; GET /__again fills the table anew."""

import sys

from flask import Flask
from flask_admin import Admin
from flask_admin.contrib.sqla import ModelView
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.pool import StaticPool

app = Flask(__name__)
app.config |= {
    "SECRET_KEY": "not one",
    "SQLALCHEMY_DATABASE_URI": "sqlite://",
    "SQLALCHEMY_ENGINE_OPTIONS": {"poolclass": StaticPool},
}
db = SQLAlchemy(app)


class Pot(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String(60))
    glaze = db.Column(db.Enum("celadon", "tenmoku", "cobalt", name="glaze"))
    price = db.Column(db.Integer)


class Pots(ModelView):
    column_searchable_list = ("name",)
    column_filters = ("price",)
    can_view_details = True


@app.get("/__again")
def reset_table():
    db.drop_all()
    db.create_all()
    for number, name in enumerate(("Moon jar", "Heron jug", "Tide bowl", "Reed vase", "Ash dish")):
        db.session.add(Pot(name=name, glaze=("celadon", "tenmoku", "cobalt")[number % 3], price=30 + 12 * number))
    db.session.commit()
    return "again"


Admin(app, name="Kiln").add_view(Pots(Pot, db, name="Pots"))
if __name__ == "__main__":
    with app.app_context():
        reset_table()
    app.run("127.0.0.1", int(sys.argv[1]), threaded=True)
