// A guest throws nothing into the page: what of ours the browser itself calls (listeners, observers, timers, what a promise brings) is one of
// these, or the page's own handlers, and whoever watches its errors, would be told of ours.

/** A function that receives the injector's own errors. */
export type ErrorHandler = (error: unknown) => void;

let told: ErrorHandler = () => {};

/**
 * Makes `failed` receive all errors of the injector from now on. Documents in one JavaScript world share the handler: the latest one
 * counts. An error that the handler throws is ignored.
 */
export function reportErrorsTo(failed: ErrorHandler): void {
  told = failed;
}

function fail(error: unknown): void {
  try {
    told(error);
  } catch {
    // Not even that; what was missed shows at the next checkpoint.
  }
}

/** Calls `work` and reports its error, also that of a promise that it returns. Returns whether it threw nothing. */
export function runSafely(work: () => unknown): boolean {
  try {
    const result = work();
    // Asked for by its method, not by its class: a frame's is another.
    (result as Promise<unknown> | undefined)?.catch?.(fail);
    return true;
  } catch (error) {
    fail(error);
    return false;
  }
}

/** Returns a function that calls `work` and reports its errors to the injector's handler, so that none of them reaches the page. */
export function wrapToReportErrors<A extends unknown[]>(work: (...args: A) => unknown): (...args: A) => void {
  return (...args) => {
    runSafely(() => work(...args));
  };
}
