// A guest throws nothing into the page: what of ours the browser itself calls (listeners, observers, timers, what a promise brings) is one of
// these, or the page's own handlers, and whoever watches its errors, would be told of ours.

/** Where errors of ours go. */
export type ErrorHandler = (error: unknown) => void;

let told: ErrorHandler = () => {};

/** Has `failed` hear of every error from now on: of a world's documents the latest. It may throw; nobody hears of that. */
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

/** Does the work; whether it did not fail. */
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

/** The same function, of which no error reaches the page. */
export function withoutErrors<A extends unknown[]>(work: (...args: A) => unknown): (...args: A) => void {
  return (...args) => {
    runSafely(() => work(...args));
  };
}
