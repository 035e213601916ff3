// A seeded random walk over the DOM operations that pages use. Each step is one of them; some wait for a flush in between.
async ([seed, steps]) => {
  let s = seed;
  const rnd = (n) => ((s = (s * 1103515245 + 12345) & 0x7fffffff) >>> 8) % n;
  const pool = [];
  const all = () => [document.body, ...document.body.querySelectorAll('*')].filter((e) => e.localName !== 'script');
  const pick = () => { const a = all(); return a[rnd(a.length)]; };
  const names = ['div', 'p', 'span', 'ul', 'li', 'b', 'x-tag', 'section', 'input', 'select', 'template', 'form'];
  const make = (depth) => {
    const e = document.createElement(names[rnd(names.length)]);
    if (e.localName === 'template') { e.innerHTML = '<i>' + rnd(99) + '</i>text'; return e; }
    if (rnd(2)) e.className = 'c' + rnd(9);
    if (e.localName === 'input') { e.type = ['text', 'checkbox', 'radio', 'password', 'range', 'file'][rnd(6)]; return e; }
    if (e.localName === 'select') { e.innerHTML = '<option>a<option selected>b<option>c'; return e; }
    for (let i = rnd(4); i > 0 && depth < 5; i--) e.append(rnd(3) ? make(depth + 1) : 't' + rnd(99));
    if (rnd(8) === 0 && !e.shadowRoot && ['div', 'p', 'span', 'section', 'x-tag'].includes(e.localName))
      e.attachShadow({mode: 'open'}).innerHTML = '<b>s' + rnd(9) + '</b><slot></slot>';
    return e;
  };
  const into = (parent, node) => {
    if (node.contains(parent) || parent.localName === 'input' || parent.localName === 'template') return;
    const kids = parent.childNodes;
    parent.insertBefore(node, kids.length ? (kids[rnd(kids.length + 1)] ?? null) : null);
  };
  for (let i = 0; i < steps; i++) {
    try {
      switch (rnd(17)) {
        case 0: case 1: case 2: into(pick(), make(0)); break;
        case 3: case 4: { const n = pick(); if (n !== document.body) into(pick(), n); break; }
        case 5: { const n = pick(); if (n !== document.body) { n.remove(); pool.push(n); } break; }
        case 6: { const n = pool.splice(rnd(pool.length || 1), 1)[0]; if (n) into(pick(), n); break; }
        case 7: { const a = pool[0]; if (a) { a.append(make(0)); const d = pick(); if (d !== document.body && !d.contains(a)) a.append(d); } break; }
        case 8: pick().setAttribute(['title', 'class', 'data-x', 'value', 'type', 'checked'][rnd(6)], 'v' + rnd(9)); break;
        case 9: pick().removeAttribute(['title', 'class', 'value', 'checked'][rnd(4)]); break;
        case 10: { const e = pick(); const t = [...e.childNodes].find((n) => n.nodeType === 3); if (t) t.data = 'u' + rnd(99); break; }
        case 11: { const e = pick(); if (rnd(4) === 0 && e !== document.body) e.innerHTML = '<p>in<b>ner</b></p>' + rnd(9); break; }
        case 12: { const e = pick(); const kids = [...e.childNodes]; kids.sort(() => rnd(3) - 1); if (e.localName !== 'select') e.replaceChildren(...kids); break; }
        case 13: { const e = pick(); const n = pick(); if (e !== document.body && n !== document.body && e.parentNode && !n.contains(e)) e.replaceWith(n); break; }
        case 14: { const e = pick(); if ('value' in e && e.type !== 'file') { try { e.value = 'typed' + rnd(9); } catch {} } if ('checked' in e) e.checked = !!rnd(2); break; }
        case 15: { const e = pick(); if (e.shadowRoot) into(e.shadowRoot, make(2)); else e.normalize(); break; }
        case 16: { const e = pick(); const w = document.createElement('div'); if (e !== document.body) { e.replaceWith(w); w.append(make(1), e, 'z'); } break; }
      }
    } catch (error) { if (!(error instanceof DOMException)) throw error; }
    if (rnd(12) === 0) await new Promise((r) => setTimeout(r, rnd(2) ? 0 : 20));
  }
}
