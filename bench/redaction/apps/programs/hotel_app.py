"""Serves starlette-admin over guests and bookings: `hotel_app.py PORT`. DataTables draws its lists from JSON."""

import datetime
import enum
import json
import sys
from pathlib import Path

import uvicorn
from sqlalchemy import Column, Date, Enum, ForeignKey, Integer, Numeric, String, create_engine
from sqlalchemy.orm import Session, declarative_base, relationship
from sqlalchemy.pool import StaticPool
from starlette.applications import Starlette
from starlette_admin.contrib.sqla import Admin, ModelView

Base = declarative_base()
engine = create_engine("sqlite://", connect_args={"check_same_thread": False}, poolclass=StaticPool)


class Room(enum.Enum):
    Dune = "Dune"
    Tide = "Tide"
    Gull = "Gull"


class HotelGuest(Base):
    __tablename__ = "guest"
    id = Column(Integer, primary_key=True)
    name = Column(String(80))
    email = Column(String(80))
    phone = Column(String(40))
    city = Column(String(60))
    arrives = Column(Date)
    nights = Column(Integer)
    room = Column(Enum(Room))
    price = Column(Numeric(8, 2))
    booked_by_id = Column(Integer, ForeignKey("guest.id"))
    booked_by = relationship("HotelGuest", remote_side=[id])

    def __admin_repr__(self, request: object) -> str:
        return str(self.name)

    async def __admin_select2_repr__(self, request: object) -> str:
        return f"<span>{self.name}</span>"


Base.metadata.create_all(engine)
with Session(engine) as session:
    for number, one in enumerate(json.loads(Path("people.json").read_text("utf-8"))):
        session.add(HotelGuest(name=one["name"], email=one["email"], phone=one["phone"], city=one["city"], arrives=datetime.date.fromisoformat(one["joined"]), nights=1 + number % 9, room=list(Room)[number % 3], price=80 + 5 * number, booked_by_id=max(1, number)))  # fmt: skip
    session.commit()
app = Starlette()
admin = Admin(engine, title="Harbour House")
admin.add_view(ModelView(HotelGuest, icon="fa fa-bed"))
admin.mount_to(app)
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
