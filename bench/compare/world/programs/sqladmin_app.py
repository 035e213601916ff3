"""Serves SQLAdmin with one table; GET /__again fills the table anew."""

import sys

import uvicorn
from sqladmin import Admin, ModelView
from sqlalchemy import Column, Integer, String, create_engine
from sqlalchemy.orm import Session, declarative_base
from sqlalchemy.pool import StaticPool
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

Base = declarative_base()
engine = create_engine("sqlite://", connect_args={"check_same_thread": False}, poolclass=StaticPool)


class Boat(Base):
    __tablename__ = "boat"
    id = Column(Integer, primary_key=True)
    name = Column(String(60))
    berth = Column(String(20))
    length = Column(Integer)


class Boats(ModelView, model=Boat):
    column_list = ("id", "name", "berth", "length")
    column_searchable_list = ("name",)
    name_plural = "Boats"


def reset_table(_=None):
    Base.metadata.drop_all(engine)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        for number, name in enumerate(("Gannet", "Curlew", "Plover", "Dunlin", "Teal")):
            session.add(Boat(name=name, berth=f"Pier {'ABC'[number % 3]}", length=31 + number))
        session.commit()
    return PlainTextResponse("again")


reset_table()
app = Starlette(routes=[Route("/__again", reset_table)])
Admin(app, engine, title="Harbour").add_view(Boats)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
