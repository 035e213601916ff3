// What the lists of the tabs share.

import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Scrolls a list so that its current row (`aria-current`) is in view whenever that changes: the whole row, with a few
 * lines before and after.
 */
export function useScrollToCurrent<T extends HTMLElement>(current: unknown): RefObject<T | null> {
  const list = useRef<T>(null);
  useLayoutEffect(() => {
    // The innermost: of a step, what happens in it now.
    const row = [...(list.current?.querySelectorAll<HTMLElement>("[aria-current]") ?? [])].at(-1);
    const panel = row?.closest<HTMLElement>(".panel");
    if (!row || !panel) return;
    const [{ clientHeight: room }, { offsetHeight: height }] = [panel, row];
    const top = row.getBoundingClientRect().top - panel.getBoundingClientRect().top;
    const wanted = Math.min(room, height + 80, height < room ? Math.max(height, 160) : 160);
    const above = Math.min(60, room - wanted);
    if (top < Math.min(40, above) || top + wanted > room) panel.scrollTo({ top: panel.scrollTop + top - above });
  }, [current]);
  return list;
}

/** A heading with preformatted text below it. */
export function NamedBlock({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <h2 class="label">{name}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0}>{children}</pre>
    </>
  );
}
