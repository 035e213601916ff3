import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

export interface PagereelOptions {
  /** How pagereel is called; else `pagereel` of PATH, else `uvx` or `pipx`. */
  command?: string | string[];
  /** `vendor` (default), `strict`, `internal`, the path of a policy file, or `off`: nothing is masked, and no model is needed. */
  redaction?: string;
  /** Build each replay when its test ends, and let the next wait: for reporters that copy attachments then, as Allure's does. */
  each?: boolean;
  /** The longest that one replay may take, in ms. Default: 120 000. */
  timeout?: number;
  /** Print no summary. */
  quiet?: boolean;
}

/** Makes a replay of each failing test's trace, and attaches it to the test's result. List it before `html`. */
export default class PagereelReporter implements Reporter {
  constructor(options?: PagereelOptions);
  printsToStdio(): boolean;
  onTestEnd(test: TestCase, result: TestResult): void;
  onEnd(): Promise<void>;
  /** What is printed at the end. */
  summary(): string;
}
