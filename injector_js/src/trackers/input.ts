// What a person or an agent does: pointer, buttons, keys, typing. Listeners are passive, in the capture phase, and never stop an event.

import { LIMITS } from "../config.ts";
import { wrapToReportErrors } from "../error-guard.ts";
import { roundToTenth } from "../rounding.ts";
import type { DocumentSession } from "../session.ts";

export type AddListener = <E extends Event>(type: string, listener: (event: E) => unknown) => void;

/** The innermost element under an event, through open shadow roots. */
function targetOf(event: Event): Node | null {
  const path = event.composedPath();
  return (path[0] as Node | undefined) ?? null;
}

function nodeId(session: DocumentSession, event: Event): number {
  for (const target of event.composedPath()) {
    const id = target instanceof Node ? session.mirror.idOf(target) : 0;
    if (id !== 0) return id;
  }
  return 0;
}

function mods(event: KeyboardEvent | MouseEvent): string {
  return `${event.altKey ? "a" : ""}${event.ctrlKey ? "c" : ""}${event.metaKey ? "m" : ""}${event.shiftKey ? "s" : ""}`;
}

const SKIPS = "contentvisibilityautostatechange";

export function trackPointer(session: DocumentSession, listen: AddListener): void {
  type Point = [t: number, x: number, y: number];
  let points: Point[] = [];
  /** The last place, when it came too soon after the one before. */
  let late: Point | null = null;
  let waiting = false;
  let last = Number.NEGATIVE_INFINITY;
  let type = "mouse";
  const send = () => {
    if (late) points.push(late);
    const [first] = points;
    if (!first) return;
    const [began] = first;
    session.samples("pointer", { points: points.map(([t, x, y]) => [Math.round(t - began), x, y]), type }, began);
    points = [];
    late = null;
  };
  listen<PointerEvent>("pointermove", (event) => {
    if (!event.isTrusted) return;
    const now = session.stream.time();
    if (!waiting) {
      waiting = true;
      session.later(() => {
        waiting = false;
        send();
      }, LIMITS.pointer * 6);
    }
    type = event.pointerType || "mouse";
    late = [now, roundToTenth(event.clientX), roundToTenth(event.clientY)];
    if (now - last < LIMITS.pointer * session.pace.slowness) return;
    last = now;
    points.push(late);
    late = null;
  });
  session.beforeInteraction(send);
  for (const type of ["mouseover", "mouseout", "drop"]) listen(type, (event) => pointed(session, event));
  // What this lets go of is not pressed any more when it has been worked off; what something was dropped on comes to be only after its event.
  listen("pointercancel", () => {
    session.parts.pointed.up();
    session.happened();
  });
  listen("dragend", () => session.happened());
  listen("hashchange", () => {
    session.parts.pointed.aimed();
    session.happened();
  });
}

function pointed(session: DocumentSession, event: Event): void {
  // What it came to is told by the event after it; nothing, where it left the document.
  if (!event.isTrusted || (event.type === "mouseout" && (event as MouseEvent).relatedTarget)) return;
  session.parts.pointed.moved(event);
  // Chromium takes what something was dropped on for pressed, until the pointer moves.
  if (event.type === "drop") session.parts.pointed.down(event);
  session.happened();
}

export function trackButtons(session: DocumentSession, listen: AddListener): void {
  const names: Record<string, string> = {
    pointerdown: "down",
    pointerup: "up",
    click: "click",
    dblclick: "dblclick",
    contextmenu: "contextmenu",
  };
  for (const [type, name] of Object.entries(names)) {
    listen<MouseEvent>(type, (event) => {
      if (!event.isTrusted) return;
      if (name === "down") session.parts.pointed.down(event);
      else session.parts.pointed.up();
      // A click from the keyboard has no place of its own.
      session.interaction("mouse", {
        type: name,
        node: nodeId(session, event),
        x: roundToTenth(event.clientX),
        y: roundToTenth(event.clientY),
        button: event.button,
      });
      // What comes of it may be the page's end.
      session.stream.flush();
      session.pace.soon();
    });
  }
}

const SHORTCUT = /[acm]/;
/** The code of a key that goes to an input method. */
const TO_METHOD = 229;

export function trackKeys(session: DocumentSession, listen: AddListener): void {
  for (const [type, name] of [
    ["keydown", "down"],
    ["keyup", "up"],
  ] as const) {
    listen<KeyboardEvent>(type, (event) => {
      if (!event.isTrusted || (event.repeat && name === "down")) return;
      const pressed = mods(event);
      if (name === "down") session.parts.focus.byKeys = event.keyCode === TO_METHOD;
      if (name === "up") {
        session.parts.pointed.up();
        // Of a part of a date no event tells.
        const field = targetOf(event) as HTMLInputElement | null;
        if (field?.validity?.badInput) session.controlChanged(field);
      } else if (event.key === " ") session.parts.pointed.down(event);
      // A key that would write text is not recorded as a key: the text shows in the value, and is masked there.
      const isText = event.key.length === 1 && (!SHORTCUT.test(pressed) || event.getModifierState("AltGraph"));
      session.interaction("key", {
        type: name,
        node: nodeId(session, event),
        key: isText || event.isComposing ? null : event.key,
        mods: pressed,
      });
      session.pace.soon();
    });
  }
}

export function trackControls(session: DocumentSession, listen: AddListener): void {
  for (const type of ["input", "change"]) {
    listen(type, (event) => {
      const target = targetOf(event);
      if (target instanceof Element) session.controlChanged(target);
    });
  }
  // A reset changes the values after its event.
  listen("reset", () => session.pace.soon());
}

export function trackFocus(session: DocumentSession, listen: AddListener): void {
  for (const type of ["focusin", "focusout"]) listen(type, () => session.pace.soon());
  listen("selectionchange", () => {
    session.parts.focus.selection();
    session.pace.soon();
  });
  for (const type of ["compositionupdate", "compositionend"]) {
    listen<CompositionEvent>(type, (event) => {
      session.parts.focus.composing(type === "compositionend" ? "" : event.data);
      session.pace.soon();
    });
  }
}

export function trackScroll(session: DocumentSession, listen: AddListener): void {
  listen("scroll", (event) => {
    const target = targetOf(event);
    if (!(target instanceof Element || target instanceof Document)) return;
    session.parts.scroll.scrolled(target);
    session.parts.animations.scrolled();
    session.happened(LIMITS.frame);
  });
  listen(SKIPS, (event) => skips(session, event));
}

/** A browser that skips content tells of it: `contentvisibilityautostatechange`. */
function skips(session: DocumentSession, event: Event): void {
  const target = targetOf(event);
  if (!(target instanceof Element)) return;
  session.parts.scroll.skipped(target, (event as Event & { skipped: boolean }).skipped);
  session.pace.soon();
}

/** Listens to events inside a shadow root that do not leave it. */
export function trackShadowRoot(session: DocumentSession, root: ShadowRoot): void {
  const listen = (type: string, listener: (event: Event) => void) =>
    root.addEventListener(type, wrapToReportErrors(listener), { capture: true, passive: true });
  listen("scroll", ({ target }) => {
    if (!(target instanceof Element)) return;
    session.parts.scroll.scrolled(target);
    session.happened(LIMITS.frame);
  });
  listen(SKIPS, (event) => skips(session, event));
  listen("mouseover", (event) => pointed(session, event));
  listen("slotchange", () => session.happened());
  listen("change", ({ target }) => {
    if (target instanceof Element) session.controlChanged(target);
  });
  // In a field within the root; what is selected in its text, the document hears of.
  listen("selectionchange", () => {
    session.parts.focus.selection();
    session.pace.soon();
  });
}
