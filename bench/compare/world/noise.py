"""Adds noise of real sites below an application's page, different in each run: adverts, recommendations, a clock, live figures, notices.

A script draws it; the proxy answers the script's requests. An application names those parts that it gets:

=========  ==================================================
advert     one of twelve, chosen by the server for each page
advice     four of nine products, in any order
variant    one of two texts, chosen once for each visitor
clock      the time, each second
live       figures, asked for each 600 ms
toast      a notice that somebody bought something: it comes and goes by itself
moving     a bar whose style a script sets in each animation frame
carousel   one of five slides, another one each 1.3 s
chat       a bubble that opens after a while, and stays
rating     stars and votes that the server changes each time
hashed     names of classes that are new for each page
=========  ==================================================

All applications get a picture, a small offer in JSON, a hidden token, a footer that comes late, a beacon for each page, and a line that says for a moment
that something loads, for each page and after each click.
"""

from __future__ import annotations

import json
import random
import secrets
import struct
import time
import zlib

from .fault_proxy import ProxiedRequest, ServedAnswer

ADVERTS = (
    "Kayaks at half price until Sunday", "Sleep better with Luma pillows", "A bank that picks up the phone", "Fresh figs, at your door by nine", "Insure your bicycle in a minute",
    "Seven days on the Azores", "The knife that chefs keep", "Try our rye, get two", "Your attic, warm at last", "Learn Basque with a neighbour", "Plants that forgive you", "Shoes made round the corner",
)  # fmt: skip
ADVICE = (
    "Linen apron",
    "Copper pan",
    "Oak stool",
    "Wall clock",
    "Desk lamp",
    "Felt slippers",
    "Tea tin",
    "Salt mill",
    "Bread knife",
)
BUYERS = ("Ana from Porto", "Jonas from Kiel", "Mirela from Cluj", "Tom from Leeds", "Aiko from Kobe")

SCRIPT = """(() => {
if (window.top !== window) return;
const has = new Set(%s);
const make = (tag, text, parent, set) => { const e = document.createElement(tag); e.textContent = text; Object.assign(e, set || {}); parent.append(e); return e; };
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const ask = async (url) => (await fetch(url, { headers: { 'x-request-id': crypto.randomUUID() } })).json();
const go = async () => {
  const around = make('aside', '', document.body, { id: 'around' });
  around.style.cssText = 'font:14px sans-serif;padding:8px;border-top:1px solid #aaa;position:relative;background:#fafafa;color:#222;clear:both';
  const input = make('input', '', around, { type: 'hidden', name: 'csrf_token', value: crypto.randomUUID() });
  make('img', '', around, { src: '/around/seal.png', alt: 'Trusted shop', width: 32, height: 32 });
  if (has.has('variant')) {
    const of = localStorage.variant || (localStorage.variant = Math.random() < 0.5 ? 'Tell us what you think' : 'How do you like this page?');
    make('p', of, around, { id: 'survey' });
  }
  if (has.has('clock')) { const t = make('time', '', around); const tick = () => { t.textContent = new Date().toLocaleTimeString(); }; tick(); setInterval(tick, 1000); }
  if (has.has('moving')) { const bar = make('div', '', around); let at = Math.random() * 100; const move = () => { at = (at + 1) %% 100; bar.style.cssText = `height:3px;background:#c60;width:${at.toFixed(1)}%%`; requestAnimationFrame(move); }; move(); }
  const loads = make('p', '', around, { id: 'loads' });
  let turn = 0;
  const load = async () => { const mine = ++turn; loads.textContent = 'Loading suggestions…'; await sleep(sessionStorage.late ? 12000 : 150 + Math.random() * 350); if (mine === turn) loads.textContent = ''; };
  load();
  addEventListener('click', (e) => { if (e.isTrusted) load(); }, true);
  ask('/around/offer?visitor=' + crypto.randomUUID()).then((o) => {
    make('p', `Delivery in ${o.days} days, ${o.fee.toFixed(2)} EUR`, around, { id: 'offer' });
    const s = make('select', '', around, { id: 'currency', ariaLabel: 'Currency' }); for (const c of o.currencies) make('option', c, s, { value: c });
  }, () => {});
  if (has.has('advert')) ask('/around/advert').then((a) => { const box = make('div', '', around, { className: 'advert' }); make('a', a.text, box, { href: a.link }); }, () => {});
  if (has.has('advice')) ask('/around/advice').then((a) => { make('h4', 'You may also like', around); const list = make('ul', '', around); for (const p of a.items) make('li', p.name, list); }, () => {});
  if (has.has('live')) { const p = make('p', '', around); const on = async () => { try { const l = await ask('/around/live'); p.textContent = `${l.visitors} people look at this, ${l.sold} sold today`; } catch {} setTimeout(on, 600); }; on(); }
  if (has.has('toast')) (async () => { for (;;) { await sleep(600 + Math.random() * 3500); const t = make('div', await ask('/around/toast').then((a) => a.text, () => ''), around, { role: 'status' }); await sleep(800 + Math.random() * 1800); t.remove(); } })();
  if (has.has('carousel')) { const slides = ['Spring glazes are in', 'Our kiln is new', 'Visit us on Saturdays', 'Gifts below 20 EUR', 'Read the journal']; const c = make('section', '', around); const h = make('strong', '', c); let n = Math.floor(Math.random() * 5); const turn = () => { h.textContent = slides[n++ %% 5]; }; turn(); setInterval(turn, 1300); }
  if (has.has('chat')) setTimeout(() => { const c = make('div', '', around); c.setAttribute('aria-label', 'Chat'); make('p', 'Hello, I am Robo. May I help?', c); make('button', 'Not now', c); }, 700 + Math.random() * 3000);
  if (has.has('rating')) ask('/around/rating').then((r) => make('p', `${r.stars} of 5 stars, ${r.votes} votes`, around), () => {});
  if (has.has('hashed')) setTimeout(() => { const h = Math.random().toString(36).slice(2, 8); around.querySelectorAll('*').forEach((e) => e.classList.add(`css-${h}`)); }, 50);
  setTimeout(() => { const f = make('footer', '', around); make('p', 'Terms, privacy, imprint', f); }, 200 + Math.random() * 1200);
  setTimeout(() => navigator.sendBeacon('/around/seen', JSON.stringify({ id: crypto.randomUUID(), at: performance.now(), path: location.pathname })), 100 + Math.random() * 200);
};
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', go); else go();
})();"""


def make_noise_script(parts: tuple[str, ...]) -> str:
    """Return the script that draws the named parts below each page."""
    return SCRIPT % json.dumps(parts)


def answer_noise_request(request: ProxiedRequest) -> ServedAnswer | None:
    """Answer a request of the noise script; None where the request is for the application."""
    if not request.path.startswith("/around/"):
        return None
    what = request.path.removeprefix("/around/")
    if what == "seal.png":
        return ServedAnswer(_make_png(), "image/png")
    if what == "seen":
        return ServedAnswer(b"", status=204)
    told = {
        "offer": lambda: {"days": 3, "fee": 4.9, "currencies": ["EUR", "CHF", "SEK"], "quote": secrets.token_hex(8)},
        "advert": lambda: {
            "text": random.choice(ADVERTS),
            "link": f"/out?c={secrets.token_hex(6)}",
            "bid": random.random(),
        },
        "advice": lambda: {
            "items": [{"name": name, "score": round(random.random(), 3)} for name in random.sample(ADVICE, 4)]
        },
        "live": lambda: {"visitors": random.randint(3, 90), "sold": random.randint(100, 300), "now": time.time()},
        "rating": lambda: {"stars": round(random.uniform(3.8, 4.9), 1), "votes": random.randint(200, 900)},
        "toast": lambda: {"text": f"{random.choice(BUYERS)} bought a {random.choice(ADVICE).lower()}"},
    }.get(what)
    return (
        ServedAnswer(json.dumps(told()).encode(), "application/json")
        if told is not None
        else ServedAnswer(b"", status=404)
    )


def _make_png() -> bytes:
    """Return a grey picture of 8 by 8 pixels as PNG."""
    rows = b"".join(b"\0" + b"\x99" * 8 for _ in range(8))
    head = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
