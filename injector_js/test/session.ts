// A session of the injector over a page of the test's own. The page comes first: see there.

import { CONFIG, type Page } from "./page.ts";
import { Session } from "../src/session.ts";

export function sessionOf(page: Page): Session {
  return new Session(
    page.document as unknown as Document,
    page.window as unknown as Window & typeof globalThis,
    CONFIG,
    page.natives,
  );
}
