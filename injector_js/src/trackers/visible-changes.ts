// Events that say that something visible has changed which the tree does not hold.

import { LIMITS } from "../config.ts";
import { isHtmlElementNamed } from "../dom.ts";
import type { DocumentSession } from "../session.ts";
import { ANIMATION_EVENTS } from "../state/animations.ts";
import { VIDEO_STILL_EVENTS } from "../state/video-stills.ts";
import { SVG_TIME_EVENTS } from "../state/svg-clocks.ts";
import { MEDIA_EVENTS } from "../state/media.ts";
import type { AddListener } from "./input.ts";

/** Listens to events after which something visible has changed that the tree does not contain. */
export function trackVisibleChanges(session: DocumentSession, listen: AddListener): void {
  const on = (types: readonly string[], work: (target: Element) => void) => {
    for (const type of types) {
      listen(type, (event) => {
        const target = event.composedPath()[0];
        if (!(target instanceof Element)) return;
        work(target);
        session.pace.soon();
      });
    }
  };
  on(MEDIA_EVENTS, (target) => {
    session.parts.media.changed(target);
    session.parts.sources.loaded(target);
  });
  on(SVG_TIME_EVENTS, (target) => session.parts.clocks.changed(target));
  on(VIDEO_STILL_EVENTS, (target) => session.later(() => session.parts.films.still(target), LIMITS.settle));
  on(["load"], (target) => {
    session.parts.sources.loaded(target);
    if (isHtmlElementNamed(target, "link") || isHtmlElementNamed(target, "style"))
      session.parts.sheets.came(target as HTMLLinkElement);
  });
  on(["error"], (target) => {
    session.parts.embedded.failed(target);
    session.parts.sources.loaded(target, true);
    if (isHtmlElementNamed(target, "link")) session.parts.sheets.failed(target as HTMLLinkElement);
  });
  listen<SecurityPolicyViolationEvent>("securitypolicyviolation", (event) => {
    const [target] = event.composedPath();
    if (event.disposition !== "enforce") return;
    if (event.effectiveDirective === "style-src-attr" && target instanceof Element) session.parts.exact.refused(target);
    // No event tells of which element, or of which rule of a sheet.
    if (/^(?:font|img)-src/.test(event.effectiveDirective) && /^(?:data|blob)/.test(event.blockedURI))
      session.stream.unsupportedOnce(
        "policy",
        `${event.effectiveDirective} refuses ${event.blockedURI}:, which the replay may show`,
      );
    session.pace.soon();
  });
  // `toggle` comes later than the popover: of several opened at once only `beforetoggle` tells which one was the last.
  on(["beforetoggle", "toggle", "close", "cancel", "fullscreenchange"], (target) =>
    session.parts.topLayer.consider(target),
  );
  listen("invalid", (event) => {
    session.parts.bubble.invalid(event);
    session.pace.soon();
  });
  on(ANIMATION_EVENTS, () => session.parts.animations.changed());
}
