"""Defines five small web applications whose pages differ from run to run: tasks, booking, dashboard, mail and chat."""

from __future__ import annotations

import random
import secrets
import time
from datetime import datetime

from pagereel.fixtures.loopback_server import FixtureRequest, FixtureResponse, RoutingTable

ADVERTS = (
    "Tents from Alder & Finch",
    "Learn the cello in a year",
    "Four nights in Porto",
    "Soup, delivered",
    "Wool socks, three pairs",
)
HEAD = """<!doctype html><html lang=en><title>{title}</title><meta name=viewport content="width=device-width">
<style>body{{font:16px sans-serif;margin:2rem;max-width:60rem}}button,input,select{{font:inherit;margin:.2rem}}.advert{{color:#777}}</style>
<header><b>{title}</b> <time id=clock></time> <span class=advert>{advert}</span> <small id=build>build {build}</small></header>
<script>
const $ = (s) => document.querySelector(s);
const wait = (ms) => new Promise((r) => setTimeout(r, ms * (0.5 + Math.random())));
setInterval(() => {{ $('#clock').textContent = new Date().toLocaleTimeString(); }}, 250);
const ask = async (method, url, body) => {{
  const r = await fetch(url, {{ method, headers: {{ 'content-type': 'application/json', 'x-request-id': crypto.randomUUID() }}, body: body && JSON.stringify(body) }});
  if (!r.ok) throw Object.assign(new Error(`${{method}} ${{url}}: ${{r.status}}`), {{ status: r.status }});
  return r.json();
}};
const fail = (e) => {{ const p = document.createElement('p'); p.setAttribute('role', 'alert'); p.textContent = `Something went wrong (${{e.status || 'network'}})`; document.body.append(p); }};
</script>"""


def draw_latency() -> float:
    """Return the seconds by which an answer is delayed, drawn by chance."""
    return random.uniform(0.01, 0.12)


def render_page(title: str, body: str) -> FixtureResponse:
    """Return an HTML answer with the common page header, an advert and a build number that change each time."""
    head = HEAD.format(title=title, advert=random.choice(ADVERTS), build=secrets.token_hex(5))
    return FixtureResponse.html(head + body, delay=draw_latency())


def make_task_app() -> RoutingTable:
    """Make an application with a list of tasks, which its script draws from JSON again after each change."""
    app, held = (
        RoutingTable(),
        [{"id": secrets.token_hex(6), "text": text, "done": False} for text in ("Water the ferns", "Call the printer")],
    )

    @app.route("GET", r"/")
    def index(_: FixtureRequest) -> FixtureResponse:
        return render_page(
            "Tasks",
            """<h1>Today</h1><ul id=list></ul><input aria-label="New task"><button id=add>Add task</button><p id=count></p><script>
const draw = async () => {
  const {tasks, points} = await ask('GET', '/api/tasks');
  $('#list').replaceChildren(...tasks.map((t) => {
    const li = document.createElement('li'); li.dataset.id = t.id;
    li.innerHTML = `<label><input type=checkbox ${t.done ? 'checked' : ''}> ${t.text}</label>`;
    li.querySelector('input').onchange = async (e) => { try { await ask('PATCH', '/api/tasks/' + t.id, {done: e.target.checked}); await draw(); } catch (x) { fail(x); } };
    return li; }));
  $('#count').textContent = `${tasks.filter((t) => !t.done).length} open, ${points} points`;
};
$('#add').onclick = async () => { try { await ask('POST', '/api/tasks', {text: $('[aria-label]').value}); await draw(); } catch (x) { fail(x); } };
draw();</script>""",
        )

    @app.route("GET", r"/api/tasks")
    def list_tasks(_: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.json(
            {"tasks": held, "points": 10 + 5 * sum(t["done"] for t in held), "serverTime": time.time()},
            delay=draw_latency(),
        )

    @app.route("POST", r"/api/tasks")
    def add_task(request: FixtureRequest) -> FixtureResponse:
        held.append({"id": secrets.token_hex(6), "text": request.json()["text"], "done": False})
        return FixtureResponse.json(held[-1], 201, delay=draw_latency())

    @app.route("PATCH", r"/api/tasks/(?P<id>\w+)")
    def change_task(request: FixtureRequest) -> FixtureResponse:
        task = next(t for t in held if t["id"] == request.args["id"])
        task["done"] = request.json()["done"]
        return FixtureResponse.json(task, delay=draw_latency())

    return app


def make_booking_app() -> RoutingTable:
    """Make a booking application of three pages that the server writes, with a session id in their addresses."""
    app = RoutingTable()
    rooms = {"dune": 84, "tide": 112, "gull": 96}

    @app.route("GET", r"/")
    def index(_: FixtureRequest) -> FixtureResponse:
        session = secrets.token_hex(12)
        rows = "".join(f"<li>Room {name.title()}, {price} EUR a night</li>" for name, price in rooms.items())
        return render_page(
            "Harbour House",
            f"<h1>Rooms</h1><ul>{rows}</ul><p><a href='/room?session={session}&room=tide'>Choose Tide</a></p>",
        )

    @app.route("GET", r"/room")
    def show_room(request: FixtureRequest) -> FixtureResponse:
        session, name = request.query["session"], request.query["room"]
        return render_page(
            "Harbour House",
            f"""<h1>Room {name.title()}</h1><p>{rooms[name]} EUR a night, breakfast 12 EUR</p><p id=left>…</p>
<form action=/done><input type=hidden name=session value={session}><label>Nights <input name=nights value=1></label><label>Name <input name=who></label>
<button>Book the room</button></form><script>
ask('GET', '/api/left?room={name}').then(({{left, views}}) => {{ $('#left').textContent = `${{left}} rooms left, ${{views}} people look at it`; }}, fail);</script>""",
        )

    @app.route("GET", r"/api/left")
    def count_free_rooms(_: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.json(
            {"left": 3, "views": random.randint(2, 60), "token": secrets.token_hex(8)}, delay=draw_latency()
        )

    @app.route("GET", r"/done")
    def confirm_booking(request: FixtureRequest) -> FixtureResponse:
        nights = int(request.query["nights"])
        code = f"HH-{random.randint(10_000, 99_999)}"
        return render_page(
            "Harbour House",
            f"<h1>Booked</h1><p>{nights} nights, {nights * 112} EUR</p><p>Your code is {code}</p><button id=print>Print it</button>",
        )

    return app


def make_dashboard_app() -> RoutingTable:
    """Make a dashboard of pumps, which asks its server for figures four times a second."""
    app = RoutingTable()

    @app.route("GET", r"/")
    def index(_: FixtureRequest) -> FixtureResponse:
        return render_page(
            "Pumps",
            """<h1>Station 4</h1><p id=load></p><table><tbody id=rows></tbody></table><label>Show <select id=which><option value=all>all</option><option value=bad>alarms</option></select></label>
<section id=detail></section><script>
let which = 'all';
setInterval(async () => { try { const m = await ask('GET', '/api/load'); $('#load').textContent = `Load ${m.load} %, ${m.flow} l/s`; } catch {} }, 250);
const draw = async () => { try {
  const {pumps} = await ask('GET', '/api/pumps?which=' + which);
  $('#rows').innerHTML = pumps.map((p) => `<tr><td>${p.name}</td><td>${p.state}</td><td>${p.limit} bar</td><td><button data-name="${p.name}">Open ${p.name}</button></td></tr>`).join('');
  for (const b of document.querySelectorAll('[data-name]')) b.onclick = () => open(b.dataset.name);
} catch (x) { fail(x); } };
const open = (name) => {
  $('#detail').innerHTML = `<h2>${name}</h2><p>Seal worn, seen ${1 + Math.floor(Math.random() * 50)} minutes ago</p><button id=ack>Acknowledge</button>`;
  $('#ack').onclick = async () => { try { const {by} = await ask('POST', '/api/ack', {pump: name}); $('#detail').innerHTML += `<p>Acknowledged by ${by}</p>`; } catch (x) { fail(x); } };
};
$('#which').onchange = (e) => { which = e.target.value; draw(); };
draw();</script>""",
        )

    @app.route("GET", r"/api/load")
    def read_load(_: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.json(
            {"load": random.randint(20, 80), "flow": round(random.uniform(1, 9), 2)}, delay=draw_latency()
        )

    @app.route("GET", r"/api/pumps")
    def list_pumps(request: FixtureRequest) -> FixtureResponse:
        every = [{"name": f"P{n}", "state": "alarm" if n == 3 else "ok", "limit": 40 + n} for n in range(1, 5)]
        return FixtureResponse.json(
            {"pumps": every if request.query["which"] == "all" else every[2:3], "etag": secrets.token_hex(6)},
            delay=draw_latency(),
        )

    @app.route("POST", r"/api/ack")
    def acknowledge_alarm(_: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.json({"by": "shift B", "ackId": secrets.token_hex(8)}, 201, delay=draw_latency())

    return app


def make_mail_app() -> RoutingTable:
    """Make a mailbox: its times are relative, a notice comes and goes, and its addresses hold ids."""
    app = RoutingTable()
    letters = [
        {
            "id": secrets.token_hex(8),
            "from": "Harbour office",
            "subject": "Berth 12 is free",
            "text": "From Monday on, for 31 EUR a week.",
        },
        {
            "id": secrets.token_hex(8),
            "from": "Sail loft",
            "subject": "Your mainsail",
            "text": "It is mended. Fetch it when you like.",
        },
    ]

    @app.route("GET", r"/")
    def index(_: FixtureRequest) -> FixtureResponse:
        return render_page(
            "Mail",
            """<h1>Inbox</h1><div id=list></div><article id=letter></article><div id=notice></div><script>
const notice = async (text) => { $('#notice').textContent = text; await wait(900); $('#notice').textContent = ''; };
const open = async (id) => { try {
  const l = await ask('GET', '/api/letters/' + id);
  history.pushState(null, '', '/#/letter/' + id);
  $('#letter').innerHTML = `<h2>${l.subject}</h2><p>${l.text}</p><p>${l.ago} minutes ago</p><label>Answer <textarea></textarea></label><button id=send>Send answer</button>`;
  $('#send').onclick = async () => { try { const r = await ask('POST', '/api/answers', {to: id, text: $('textarea').value}); notice('Sent'); $('#letter').innerHTML = `<p>Answered, ${r.cost} EUR postage</p>`; } catch (x) { fail(x); } };
} catch (x) { fail(x); } };
ask('GET', '/api/letters').then(({letters}) => {
  for (const l of letters) { const b = document.createElement('button'); b.textContent = `${l.from}: ${l.subject}`; b.onclick = () => open(l.id); $('#list').append(b); }
}, fail);</script>""",
        )

    @app.route("GET", r"/api/letters")
    def list_letters(_: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.json({"letters": letters, "cursor": secrets.token_hex(4)}, delay=draw_latency())

    @app.route("GET", r"/api/letters/(?P<id>\w+)")
    def read_letter(request: FixtureRequest) -> FixtureResponse:
        letter = next(x for x in letters if x["id"] == request.args["id"])
        return FixtureResponse.json({**letter, "ago": random.randint(2, 59)}, delay=draw_latency())

    @app.route("POST", r"/api/answers")
    def answer_letter(_: FixtureRequest) -> FixtureResponse:
        return FixtureResponse.json(
            {"cost": 0, "id": secrets.token_hex(8), "createdAt": datetime.now().isoformat()}, 201, delay=draw_latency()
        )

    return app


def make_chat_app() -> RoutingTable:
    """Make a chat whose answers appear word by word."""
    app = RoutingTable()

    @app.route("GET", r"/")
    def index(_: FixtureRequest) -> FixtureResponse:
        return render_page(
            "Table for two",
            """<h1>Ask Mira</h1><ol id=log></ol><input aria-label="Message"><button id=send>Send message</button><script>
const say = async (who, text) => { const li = document.createElement('li'); li.id = 'm' + Math.random().toString(36).slice(2); $('#log').append(li);
  for (const word of text.split(' ')) { li.textContent += (li.textContent ? ' ' : who + ': ') + word; await wait(20); } };
$('#send').onclick = async () => { const text = $('[aria-label]').value; $('[aria-label]').value = ''; await say('You', text);
  try { const a = await ask('POST', '/api/say', {text}); await say('Mira', a.text); if (a.table) { $('#log').insertAdjacentHTML('afterend', `<p>Table ${a.table}, deposit ${a.deposit} EUR</p><button id=keep>Keep it</button>`);
    $('#keep').onclick = () => { $('#keep').replaceWith('Kept'); }; } } catch (x) { fail(x); } };</script>""",
        )

    @app.route("POST", r"/api/say")
    def answer_message(request: FixtureRequest) -> FixtureResponse:
        if "table" in request.json()["text"]:
            return FixtureResponse.json(
                {"text": "There is one by the window at seven.", "table": 7, "deposit": 20, "id": secrets.token_hex(8)},
                delay=draw_latency(),
            )
        return FixtureResponse.json(
            {"text": "Good evening, what can I do for you?", "table": None, "turn_id": secrets.token_hex(8)},
            delay=draw_latency(),
        )

    return app
