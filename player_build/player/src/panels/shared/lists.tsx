// What the lists of the tabs share.

import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Keeps the row that is current (`aria-current`), and a few lines below it, in view when it changes. */
export function useFollow<T extends HTMLElement>(current: unknown): RefObject<T | null> {
  const list = useRef<T>(null);
  useLayoutEffect(() => {
    // The innermost: of a step, what happens in it now.
    const row = [...(list.current?.querySelectorAll<HTMLElement>("[aria-current]") ?? [])].at(-1);
    const panel = row?.closest<HTMLElement>(".panel");
    if (!row || !panel) return;
    const top = row.getBoundingClientRect().top - panel.getBoundingClientRect().top;
    if (top < 40 || top + Math.min(row.offsetHeight + 80, 160) > panel.clientHeight)
      panel.scrollTo({ top: panel.scrollTop + top - 60 });
  }, [current]);
  return list;
}

export function Block({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <h2 class="label">{name}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre tabIndex={0}>{children}</pre>
    </>
  );
}
