// The document's life: shown and hidden, left, and replaced by `document.open()`, which takes all listeners away.

import { QUERIES } from "../config.ts";
import { safe } from "../guard.ts";
import type { Session } from "../session.ts";
import type { Listen } from "./input.ts";

export function trackLife(session: Session, listen: Listen): void {
  listen("resize", () => session.viewportChanged());
  listen("visibilitychange", () => session.visibilityChanged());
  for (const query of ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", ...QUERIES]) {
    session.window.matchMedia(query).addEventListener(
      "change",
      safe(() => session.viewportChanged()),
    );
  }
  // On a navigation `pagehide` does not reach the recorder, `beforeunload` does; it can be cancelled, so it only flushes.
  listen("beforeunload", () => session.flush());
  listen("pagehide", () => {
    session.interaction("unload");
    session.flush();
  });
  listen("DOMContentLoaded", () => session.pace.soon());
  listen("load", ({ target }) => {
    if (target === session.document) session.parts.sheets.came(session.document);
    session.pace.soon();
  });
}
