// The document's life: shown and hidden, left, and replaced by `document.open()`, which takes all listeners away.

import { ANY_MEDIA_QUERY, RECORDED_MEDIA_QUERIES } from "../config.ts";
import { addListener as add } from "../dom.ts";
import { wrapToReportErrors } from "../error-guard.ts";
import type { DocumentSession } from "../session.ts";
import type { AddListener } from "./input.ts";

/** Each query by itself only once one of them holds: a list of queries changes when the first one comes to hold, and not with a second. */
function watchQueries(session: DocumentSession): void {
  const { window } = session;
  const watch = (query: string, alone?: () => void): void => {
    const changed = () => {
      session.viewportChanged();
      alone?.();
    };
    window.matchMedia(query).addEventListener("change", wrapToReportErrors(changed), { once: alone !== undefined });
  };
  const each = () => {
    for (const query of RECORDED_MEDIA_QUERIES) watch(query);
  };
  for (const query of ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)"]) watch(query);
  if (window.matchMedia(ANY_MEDIA_QUERY).matches) each();
  else watch(ANY_MEDIA_QUERY, each);
}

/** Listens to the events by which a document is shown, hidden, left, or replaced by `document.open()`. */
export function trackDocumentLife(session: DocumentSession, listen: AddListener, back: () => void): void {
  listen("resize", () => session.viewportChanged());
  if (session.window.visualViewport)
    add(
      session.window.visualViewport,
      "resize",
      wrapToReportErrors(() => session.viewportChanged()),
    );
  listen("visibilitychange", () => session.visibilityChanged());
  watchQueries(session);
  // On a navigation `pagehide` does not reach the recorder, `beforeunload` does; it can be cancelled, so it only flushes.
  listen("beforeunload", () => session.flush());
  listen<PageTransitionEvent>("pagehide", (event) => {
    session.interaction("unload");
    session.flush();
    // The recorder takes the document for gone. Should it return, it is told of as one that begins.
    if (event.isTrusted && event.persisted) session.stop();
  });
  listen<PageTransitionEvent>("pageshow", (event) => event.isTrusted && event.persisted && back());
  listen("DOMContentLoaded", () => session.pace.soon());
  listen("load", ({ target }) => {
    if (target === session.document) session.parts.sheets.came(session.document);
    session.pace.soon();
  });
}
