// The hook by which components follow a suite.

import { useLayoutEffect, useState } from "preact/hooks";
import type { Suite } from "./suite.ts";

/** Redraws a component whenever the suite changes. */
export function useSuite(suite: Suite): void {
  const [, draw] = useState(0);
  useLayoutEffect(() => suite.subscribe(() => draw((n) => n + 1)), [suite]);
}
