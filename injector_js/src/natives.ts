/** The browser's own functions that the injector uses, saved before a script of the page can replace them. */
export interface NativeFunctions {
  readonly MutationObserver: typeof MutationObserver;
  readonly setTimeout: (work: () => void, delay?: number) => number;
  /** Whether timers run at all; where they do not, everything is told at once. */
  readonly timers: boolean;
  readonly now: () => number;
  readonly send: (payload: string) => void;
}
