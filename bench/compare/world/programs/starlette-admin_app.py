"""Serves starlette-admin with one table, which DataTables draws from JSON; GET /__again fills the table anew."""

import sys

import uvicorn
from sqlalchemy import Column, Integer, String, create_engine
from sqlalchemy.orm import Session, declarative_base
from sqlalchemy.pool import StaticPool
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette_admin.contrib.sqla import Admin, ModelView

Base = declarative_base()
engine = create_engine("sqlite://", connect_args={"check_same_thread": False}, poolclass=StaticPool)


class Guest(Base):
    __tablename__ = "guest"
    id = Column(Integer, primary_key=True)
    name = Column(String(60))
    room = Column(String(20))
    nights = Column(Integer)


def reset_table(_=None):
    Base.metadata.drop_all(engine)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        for number, name in enumerate(("Ines Halloran", "Joost Brand", "Maren Lund", "Pia Roth", "Tomas Vik")):
            session.add(Guest(name=name, room=("Dune", "Tide", "Gull")[number % 3], nights=11 + number))
        session.commit()
    return PlainTextResponse("again")


reset_table()
app = Starlette(routes=[Route("/__again", reset_table)])
admin = Admin(engine, title="Harbour House")
admin.add_view(ModelView(Guest, icon="fa fa-bed"))
admin.mount_to(app)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
