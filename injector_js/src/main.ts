// The script that the recorder injects into every document, at its start: see recorder/ for the other side.

import { type InjectorConfig, type RecorderHandle, LIMITS } from "./config.ts";
import { documentElement, addListener as add } from "./dom.ts";
import { runSafely, wrapToReportErrors, reportErrorsTo } from "./error-guard.ts";
import type { NativeFunctions } from "./natives.ts";
import { setScriptingEnabled } from "./policy.ts";
import { DocumentSession } from "./session.ts";
import { findFrameInViewport } from "./state/viewport-pictures.ts";
import {
  type AddListener,
  trackButtons,
  trackControls,
  trackFocus,
  trackKeys,
  trackPointer,
  trackShadowRoot,
  trackScroll,
} from "./trackers/input.ts";
import { trackDocumentLife } from "./trackers/document-life.ts";
import { trackVisibleChanges } from "./trackers/visible-changes.ts";

declare const PAGEREEL_CONFIG: InjectorConfig;

const options = { capture: true, passive: true };

/**
 * Attaches the trackers to a window, and again after `document.open()` has taken the listeners away. What elements have loaded is heard of
 * at the document: of all events, `load` goes no further (<https://dom.spec.whatwg.org/#interface-document>, "get the parent"). `back`: what is
 * done when the document returns from the back/forward cache. Gives what takes them away.
 */
function listenTo(session: DocumentSession, back: () => void): () => void {
  const { window, document } = session;
  const listeners: [string, EventListener][] = [];
  const listen: AddListener = (type, listener) => {
    listeners.push([type, wrapToReportErrors(listener as EventListener)]);
  };
  trackPointer(session, listen);
  trackButtons(session, listen);
  trackKeys(session, listen);
  trackControls(session, listen);
  trackFocus(session, listen);
  trackScroll(session, listen);
  trackDocumentLife(session, listen, back);
  trackVisibleChanges(session, listen);

  let root: Element | null = null;
  session.onTake(() => {
    const current = documentElement(document);
    if (current === root) return;
    root = current;
    for (const [type, listener] of listeners) {
      // Where it is there already, nothing is added.
      add(window, type, listener, options);
      if (type === "load") add(document, type, listener, options);
    }
  });
  return () => {
    for (const [type, listener] of listeners) {
      for (const target of [window, document]) target.removeEventListener(type, listener, options);
    }
  };
}

/**
 * Whether scripts may run in the document. In a frame that is sandboxed without `allow-scripts` ours run when the recorder calls them, but a
 * timer would not, and the attempt shows in the page's console. The parser knows: without scripting, `<noscript>` has elements in it.
 */
function scripting(document: Document): boolean {
  try {
    const element = document.createElement("div");
    element.innerHTML = "<noscript><p></p></noscript>";
    return element.firstElementChild?.firstElementChild === null;
  } catch {
    return true; // Trusted types: a page that has those has scripts.
  }
}

/**
 * A frame's empty first document gives way to the real one, and when that is of the same origin it keeps the window: no script for new
 * documents runs. Seen here a frame's time later; the recorder tells as well, when it hears of it.
 */
function watchBlank(session: DocumentSession, again: () => boolean): void {
  if (session.window.top === session.window || session.window.location.href !== "about:blank") return;
  let left = LIMITS.blankLooks;
  const look = () => {
    if (!again() && left-- > 0) session.later(look, LIMITS.settle);
  };
  look();
}

/**
 * A frame begins with an empty document, which lives until its real one has come: nothing is told of it before something is in it, the
 * recorder asks, or it has stayed for some frames' time.
 */
function begin(config: InjectorConfig): void {
  const world = globalThis as unknown as Record<string, unknown> & Window & typeof globalThis;
  const { document } = world;
  const empty = () => !document.body?.firstChild && !document.head?.firstChild;
  const blank = world.top !== world && world.location.href === "about:blank" && empty();
  // In the page's own world the first line is the only one that the page has not been able to change anything before.
  if (!blank || config.transport !== "cdp" || Object.hasOwn(world, config.handle)) {
    main(config);
    return;
  }
  let left: number = LIMITS.blankWait;
  let begun = false;
  const go = () => {
    if (begun) return;
    begun = true;
    observer.disconnect();
    main(config);
  };
  const observer = new world.MutationObserver(wrapToReportErrors(() => empty() || go()));
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const look = () => {
    if (begun) return;
    if (world.document !== document || left-- === 0) go();
    else world.setTimeout(wrapToReportErrors(look), LIMITS.settle);
  };
  const get = () => {
    go();
    return Object.getOwnPropertyDescriptor(world, config.handle)?.value;
  };
  Object.defineProperty(world, config.handle, { get, configurable: true, enumerable: false });
  look();
}

/** `returned`: the document was recorded before, and comes back from the back/forward cache. */
function main(config: InjectorConfig, returned?: boolean): void {
  const world = globalThis as unknown as Record<string, unknown> & Window & typeof globalThis;
  const earlier = world[config.handle] as RecorderHandle | undefined;
  if (earlier?.document === document && !returned) return;
  const send = world[config.binding] as ((payload: string) => void) | undefined;
  // Not yet: the recorder, which was deaf for a moment, gives it and runs this script once more.
  if (!send) return;
  const timers = scripting(document);
  setScriptingEnabled(timers);
  const setTimer = world.setTimeout.bind(world);
  const natives: NativeFunctions = {
    MutationObserver: world.MutationObserver,
    setTimeout: timers ? (work, delay) => setTimer(wrapToReportErrors(work), delay) : () => 0,
    timers,
    now: world.performance.now.bind(world.performance),
    send: (payload) => send(payload),
  };
  const session = new DocumentSession(document, world, config, natives);
  const { parts } = session;
  reportErrorsTo((error) => session.failed(error));
  const renew = (returned?: boolean) => {
    session.stop();
    leave();
    main(config, returned);
  };
  const again = () => {
    if (world.document === session.document) return false;
    renew();
    return true;
  };
  const handle: RecorderHandle = {
    document,
    again,
    flush: () => session.flush(),
    checkpoint: async (fonts) => {
      session.flush(); // A canvas that has just come is known then.
      if (parts.bubble.due && parts.bubble.suspected) return "bubble";
      const drawn = parts.canvases.framesNow();
      if (drawn) await drawn.catch((error) => session.failed(error));
      runSafely(() => session.checkpoint(fonts));
      session.flush();
      await parts.films.told();
      session.flush();
      return parts.canvases.shots.wants(session.checkpoints.at);
    },
    snapshot: (why) => {
      runSafely(() => session.snapshot(why));
      session.flush();
    },
    idOf: (node) => {
      session.flush();
      return session.mirror.idOf(node);
    },
    lines: () => session.lines(),
    places: (look) => session.places(look),
    hosts: () => {
      const asked = session.askedHosts();
      return asked.length > 0 ? asked : null;
    },
    small: () => (parts.roots.small ? document : null),
    read: (url) => parts.sources.read(url),
    fonts: (loaded) => parts.fonts.given(loaded),
    pace: (times) => session.slow(times),
    shot: (base64, place) =>
      parts.canvases.shots
        .picture(base64, place)
        .catch((error) => session.failed(error))
        .then(() => void session.flush()),
    place: (frame) => findFrameInViewport(session.window, frame),
    root: (host, found) => {
      if (Array.isArray(found)) parts.controls.typed(host, found);
      else parts.roots.closed(host, found);
      session.pace.soon();
    },
    bubble: (stands) => {
      parts.bubble.known(stands);
      session.pace.soon();
    },
    stop: () => session.stop(),
  };
  Object.defineProperty(world, config.handle, { value: handle, configurable: true, enumerable: false });
  const leave = listenTo(session, () => renew(true));
  watchBlank(session, again);
  parts.roots.listen(
    (root) => trackShadowRoot(session, root),
    (root) =>
      trackVisibleChanges(session, (type, listener) =>
        add(root, type, wrapToReportErrors(listener as EventListener), options),
      ),
  );
  session.start(returned);
}

try {
  begin(PAGEREEL_CONFIG);
} catch (error) {
  // A page must not notice us, whatever happens; the recorder is told that this document is missing.
  try {
    const send = (globalThis as unknown as Record<string, (payload: string) => void>)[PAGEREEL_CONFIG.binding];
    const gap = { k: "gap", t: Date.now(), reason: "error", detail: `the script did not start: ${error}` };
    send?.(JSON.stringify({ doc: `f${Math.random()}`, b: 0, e: [gap] }));
  } catch {
    // Nobody to tell.
  }
}
