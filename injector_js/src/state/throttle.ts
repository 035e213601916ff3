// How often the page may be looked at for what nothing tells of.

import { LIMITS } from "../config.ts";

/**
 * Measures how long one kind of polling takes, and says how long to wait before the next poll, so that polling takes about a hundredth of
 * the page's time.
 */
export class PollThrottle {
  /** What the last look took, in ms. */
  cost = 0;

  /** `at`: when the last one ended, on the page's clock; before the first, when to count from. */
  constructor(
    private readonly now: () => number,
    private at = 0,
  ) {}

  /** ms since the last look. */
  get since(): number {
    return this.now() - this.at;
  }

  /** ms for which the next one should wait. */
  get wait(): number {
    return LIMITS.share * this.cost;
  }

  /** A look that began then has ended. */
  took(began: number): void {
    this.at = this.now();
    this.cost = this.at - began;
  }
}
