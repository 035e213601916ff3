// Prints a report in place of the player.

import { useLayoutEffect } from "preact/hooks";
import { loadScript } from "../script-loading.ts";
import { usePlayer } from "./hooks.ts";

/** Replaces the player by a report of the steps whenever the reader prints. */
export function PrintedReportMaker() {
  const player = usePlayer();
  useLayoutEffect(() => {
    // The browser's own menu does not wait: there the pictures are as far as they have come.
    const begin = (): void => loadScript("export").addPrintedReport?.(player);
    const end = (): void => loadScript("export").removePrintedReport?.();
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "p") return;
      event.preventDefault();
      void loadScript("export").printReport?.(player);
    };
    window.addEventListener("beforeprint", begin);
    window.addEventListener("afterprint", end);
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("beforeprint", begin);
      window.removeEventListener("afterprint", end);
      window.removeEventListener("keydown", onKey);
    };
  }, []);
  return null;
}
