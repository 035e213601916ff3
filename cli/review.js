// The review page: the masks of a redaction beside its replay, and choices that become a policy.

const at = (id) => document.getElementById(id);
const LONG = 200; // rows of one type that are drawn; searching shows the others
/** Types of values and first words of channels as Info says them (`player/src/panels/info/redaction.ts`): a test holds them together. */
const KINDS = {
  PERSON: ["name of a person", "names of people"],
  ORGANIZATION: ["company", "companies"],
  LOCATION: ["place", "places"],
  ADDRESS: ["postal address", "postal addresses"],
  NRP: ["nationality or religion", "nationalities or religions"],
  TITLE: ["position", "positions"],
  DATE_TIME: ["day or time", "days or times"],
  EMAIL_ADDRESS: ["e-mail address", "e-mail addresses"],
  PHONE_NUMBER: ["telephone number", "telephone numbers"],
  USERNAME: ["user name", "user names"],
  URL: ["web address or part of one", "web addresses or parts of them"],
  SECRET: ["secret (cookies, tokens, passwords)", "secrets (cookies, tokens, passwords)"],
  VALUE: ["value of a form or an answer", "values of forms or answers"],
  ID: ["number or code", "numbers or codes"],
};
const PLACES = [
  [/^dom\.(value|masked|editable|hidden|option|split)/, "form fields"],
  [/^dom\.(text|title|spelled)/, "texts of pages"],
  [/^dom\.|^document\./, "attributes and addresses of pages"],
  [/^(request|response|message|header)/, "network"],
  [/^console|^error/, "console"],
  [/^call/, "actions"],
  [/^(step|note|mark|agent|llm|tool|memory|message)/, "story and model calls"],
  [/^resource/, "style sheets, pictures and other files"],
];
const kindOf = (type, count = 2) => KINDS[type]?.[count === 1 ? 0 : 1] ?? type.toLowerCase().replaceAll("_", " ");
const placesOf = (channels) => [
  ...new Set(channels.map((channel) => PLACES.find(([pattern]) => pattern.test(channel))?.[1] ?? channel)),
];

let state = { masks: [], found: [], rules: [], version: 0, building: true };
let rules = [];
const open = new Set();
let first = true;

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const folded = (text) => text.split(/\s+/).filter(Boolean).join(" ").toLowerCase();
const chosen = (kind, match) => rules.find((r) => r.kind === kind && folded(r.match) === folded(match));

function make(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

function choose(kind, match, action) {
  rules = rules.filter((r) => !(r.kind === kind && folded(r.match) === folded(match)));
  if (action) rules.push({ kind, match, action });
  draw();
}

// -- the list ------------------------------------------------------------------------------------

function draw() {
  const words = at("filter").value.trim().toLowerCase();
  const groups = new Map();
  for (const mask of state.masks) {
    const text =
      `${mask.type} ${kindOf(mask.type)} ${mask.value} ${mask.standIn} ${mask.channels.join(" ")}`.toLowerCase();
    if (words && !text.includes(words)) continue;
    if (!groups.has(mask.type)) groups.set(mask.type, []);
    groups.get(mask.type).push(mask);
  }
  const focus = document.activeElement?.dataset?.key;
  at("masks").replaceChildren(...[...groups].map(([type, masks]) => group(type, masks, Boolean(words))));
  if (!groups.size)
    at("masks").append(make("p", { class: "where row" }, words ? "Nothing like it is masked." : "Nothing is masked."));
  at("leaks").hidden = !state.found.length;
  at("found").replaceChildren(...state.found.map(leak));
  at("leave-out").disabled = state.building;
  if (focus) document.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  at("choices").replaceChildren(
    ...rules.map((rule) =>
      make(
        "li",
        {},
        make("span", {}, said(rule)),
        make(
          "button",
          {
            type: "button",
            "aria-label": `Take back: ${said(rule)}`,
            onclick: () => choose(rule.kind, rule.match, null),
          },
          "Take back",
        ),
      ),
    ),
  );
  at("none").hidden = rules.length > 0;
  at("apply").disabled = state.building || same(rules, state.rules);
}

function said(rule) {
  const what = { allow: "Let through", mask: "Mask", drop: "Drop" }[rule.action];
  if (rule.kind === "value") return `${what} “${rule.match}”`;
  return rule.kind === "entity" ? `${what} all ${kindOf(rule.match)}` : `${what} ${rule.kind} ${rule.match}`;
}

function group(type, masks, searching) {
  const total = masks.reduce((sum, mask) => sum + mask.count, 0);
  const rule = chosen("entity", type);
  const details = make(
    "details",
    {
      open: searching || open.has(type),
      ontoggle: (event) => (event.target.open ? open.add(type) : open.delete(type)),
    },
    make("summary", {}, make("b", {}, kindOf(type)), ` ${counted(masks.length, "value")}, ${counted(total, "place")}`),
  );
  if (masks[0].byType)
    details.append(
      make(
        "div",
        { class: "group" },
        make("span", { class: "where" }, "In text; a form's values stay masked."),
        make(
          "button",
          {
            type: "button",
            "data-key": `type ${type}`,
            "aria-pressed": String(Boolean(rule)),
            onclick: () => choose("entity", type, rule ? null : "allow"),
          },
          rule ? "Mask type again" : "Unmask type",
        ),
      ),
    );
  details.append(make("ul", {}, ...masks.slice(0, LONG).map(row)));
  if (masks.length > LONG)
    details.append(make("p", { class: "where row" }, `${masks.length - LONG} more: search for them.`));
  return details;
}

/** A value that the gate found, by its stand-in; the value itself where the originals are shown. */
function leak(found) {
  const rule = chosen("value", found.value);
  const mask = state.masks.find((m) => folded(m.value) === folded(found.value));
  const name = mask?.standIn ?? `a ${kindOf(found.type, 1)}`;
  const original = at("originals").checked ? make("span", { class: "was" }, ` was ${found.value}`) : "";
  return make(
    "li",
    { class: rule ? "row chosen" : "row" },
    make("span", {}, make("b", {}, name), original),
    make(
      "button",
      {
        type: "button",
        "data-key": `leak ${found.place} ${found.value}`,
        "aria-pressed": String(Boolean(rule)),
        "aria-label": `${rule ? "Refuse again" : "Let through"}: ${name}`,
        onclick: () => choose("value", found.value, rule ? null : "allow"),
      },
      rule ? "Refuse again" : "Let through",
    ),
    make("span", { class: "where" }, `${kindOf(found.type, 1)}, ${found.count}×: ${found.place}`),
  );
}

function row(mask) {
  const rule = chosen("value", mask.value);
  const original = at("originals").checked ? make("span", { class: "was" }, `was ${mask.value}`) : "";
  return make(
    "li",
    { class: rule ? "row chosen" : "row" },
    make(
      "button",
      {
        type: "button",
        class: "jump",
        "data-key": `jump ${mask.type} ${mask.value}`,
        title: "Show it in the replay",
        onclick: () => show(mask),
      },
      make("b", {}, mask.standIn),
      original,
    ),
    mask.byValue
      ? make(
          "button",
          {
            type: "button",
            "data-key": `mask ${mask.type} ${mask.value}`,
            "aria-pressed": String(Boolean(rule)),
            "aria-label": `${rule ? "Mask again" : "Unmask"}: ${mask.standIn}`,
            onclick: () => choose("value", mask.value, rule ? null : "allow"),
          },
          rule ? "Mask again" : "Unmask",
        )
      : "",
    make(
      "span",
      { class: "where" },
      `${mask.count}×, ${(mask.at / 1000).toFixed(1)} s: ${placesOf(mask.channels).join(", ")}`,
    ),
  );
}

// -- the replay ----------------------------------------------------------------------------------

const player = () => at("replay").contentWindow?.pagereel;

async function show(mask) {
  const replay = player();
  if (!replay) return;
  await replay.ready;
  let rect = null;
  let time = mask.at;
  for (time of mask.at === mask.last ? [mask.at] : [mask.at, mask.last, mask.at]) {
    await replay.seek(Math.min(time + 1, replay.duration));
    rect = mask.shows ? place(replay.frame, mask.standIn) : null;
    if (rect || !mask.shows) break;
  }
  const when = `${(time / 1000).toFixed(1)} s`;
  at("status").textContent = rect
    ? `${mask.standIn} at ${when}.`
    : `${mask.standIn}: at ${when}, in ${placesOf(mask.channels)[0]}; it does not show in the page at this moment.`;
  spot(rect);
}

/** Where a text shows in the page: its box on this page, or null. Scrolls it into view first. */
function place(frame, text) {
  const page = frame?.contentDocument;
  if (!page?.body) return null;
  const wanted = text.toLowerCase();
  const found = inText(page, wanted) ?? inControls(page, wanted);
  if (!found) return null;
  found.element.scrollIntoView({ block: "center", inline: "nearest" });
  const inner = found.range ? found.range.getBoundingClientRect() : found.element.getBoundingClientRect();
  if (!inner.width) return null;
  const outer = frame.getBoundingClientRect();
  const scale = outer.width / (frame.offsetWidth || 1);
  const [x, y, w, h] = [
    outer.left + inner.left * scale,
    outer.top + inner.top * scale,
    inner.width * scale,
    inner.height * scale,
  ];
  return { x: x * zoom, y: y * zoom, w: w * zoom, h: h * zoom };
}

function inText(page, wanted) {
  const walk = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const begin = node.data.toLowerCase().indexOf(wanted);
    if (begin < 0 || !node.parentElement.getClientRects().length) continue;
    const range = page.createRange();
    range.setStart(node, begin);
    range.setEnd(node, begin + wanted.length);
    return { element: node.parentElement, range };
  }
  return null;
}

function inControls(page, wanted) {
  for (const element of page.querySelectorAll("input, textarea, select, [title], [aria-label], [alt]")) {
    const texts = [element.value, element.title, element.getAttribute("aria-label"), element.getAttribute("alt")];
    if (
      texts.some((text) =>
        String(text ?? "")
          .toLowerCase()
          .includes(wanted),
      ) &&
      element.getClientRects().length
    )
      return { element };
  }
  return null;
}

let fading = 0;
function spot(rect) {
  const box = at("spot");
  clearTimeout(fading);
  box.hidden = !rect;
  if (!rect) return;
  Object.assign(box.style, {
    left: `${rect.x - 6}px`,
    top: `${rect.y - 6}px`,
    width: `${rect.w + 12}px`,
    height: `${rect.h + 12}px`,
  });
  fading = setTimeout(() => (box.hidden = true), 4000);
}

/** The page alone has its own size; here it is made as small as the place for it is wide. */
let zoom = 1;
async function fit() {
  const replay = at("replay");
  zoom = 1;
  if (at("bare").checked && player()) {
    await player().ready;
    zoom = Math.min(1, at("stage").clientWidth / (player().frame?.offsetWidth || 1));
  }
  Object.assign(replay.style, { width: `${100 / zoom}%`, height: `${100 / zoom}%`, transform: `scale(${zoom})` });
}

function selected() {
  const outer = at("replay").contentWindow;
  for (const page of [player()?.frame?.contentDocument, outer?.document]) {
    const text = String(page?.getSelection?.() ?? "").trim();
    if (text) return text.split(/\s+/).join(" ").slice(0, 300);
  }
  return "";
}

function load() {
  // The first time where the replay opens by itself: when there is something to see.
  const time = player()?.time;
  const moment = time === undefined ? "" : `t=${Math.round(time)}`;
  at("replay").src =
    `replay.html?v=${state.version}#${[moment, at("bare").checked && "bare"].filter(Boolean).join("&")}`;
  spot(null);
}

// -- the server ----------------------------------------------------------------------------------

async function ask(name, body) {
  const answer = await fetch(name, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error ?? `it answered ${answer.status}`);
  return said;
}

function complain(text) {
  at("problem").textContent = text ?? "";
  at("problem").hidden = !text;
}

async function follow() {
  for (;;) {
    const before = state;
    state = await ask("state");
    if (first || same(rules, before.rules)) rules = state.rules.map((rule) => ({ ...rule }));
    at("name").textContent = state.reel;
    at("policy").textContent = state.policy;
    at("html").textContent = state.html;
    at("veil").hidden = !state.building && state.version > 0;
    at("veil").textContent = state.building ? "Building the redacted replay…" : "There is no replay.";
    complain(state.error);
    if (state.version !== before.version || first) {
      if (state.version) load();
      if (state.version)
        at("status").textContent = `${counted(state.masks.length, "value")} masked under ${state.base}.`;
      if (state.version && !open.size && state.masks.length) open.add(state.masks[0].type);
    }
    if (state.version) first = false;
    draw();
    if (!state.building) return;
    await new Promise((done) => setTimeout(done, 500));
  }
}

async function apply(onLeak) {
  try {
    at("apply").disabled = true;
    complain(null);
    await ask("apply", { rules, onLeak });
    await follow();
  } catch (error) {
    complain(error.message);
    draw();
  }
}

at("bare").addEventListener("change", () => {
  load();
  at("replay").contentWindow.location.reload();
});
at("replay").addEventListener("load", fit);
addEventListener("resize", fit);
at("filter").addEventListener("input", draw);
at("originals").addEventListener("change", draw);
at("apply").addEventListener("click", () => apply());
at("leave-out").addEventListener("click", () => apply("drop"));
at("take").addEventListener("click", () => {
  const text = selected();
  if (!text) return complain("Nothing is selected in the replay. Drag over a text in it first.");
  complain(null);
  at("mask-value").value = text;
  at("mask-value").focus();
});
at("mask-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = at("mask-value").value.split(/\s+/).filter(Boolean).join(" ");
  if (text.length < 3)
    return complain("A value has at least three characters; a shorter one stands everywhere by chance.");
  complain(null);
  choose("value", text, "mask");
  at("mask-value").value = "";
});
at("rule-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const match = at("rule-match").value.trim();
  if (match) choose(at("rule-kind").value, match, at("rule-action").value);
  at("rule-match").value = "";
});
at("done").addEventListener("click", async () => {
  if (!same(rules, state.rules) && !confirm("Your last choices are not saved. End without them?")) return;
  await ask("done", {});
  at("veil").hidden = false;
  at("veil").textContent = "Done. This page can be closed.";
  for (const control of document.querySelectorAll("aside button, aside input, aside select")) control.disabled = true;
});
follow().catch((error) =>
  complain(`The review's server does not answer (${error.message}); is pagereel review still running?`),
);
