// The picture of a test at the moment it failed.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Suite } from "./suite.ts";

/**
 * A small picture of recording `n` at the time `t` (ms). The player draws it when it is scrolled into view, so the
 * file holds no picture.
 */
export function FailurePicture({ suite, n, t }: { suite: Suite; n: number; t: number }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current as HTMLElement;
    const observer = new IntersectionObserver((seen) =>
      suite.pictures.want({ element, n, t }, seen.at(-1)?.isIntersecting ?? false),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      suite.pictures.drop(element);
    };
  }, [n, t]);
  return <div class="moment" ref={place} aria-hidden="true" inert />;
}
