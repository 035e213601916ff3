// A session of the injector over a page of the test's own. The page comes first: see there.

import { TEST_CONFIG, type FakePage } from "./page.ts";
import { DocumentSession } from "../src/session.ts";

export function createSession(page: FakePage): DocumentSession {
  return new DocumentSession(
    page.document as unknown as Document,
    page.window as unknown as Window & typeof globalThis,
    TEST_CONFIG,
    page.natives,
  );
}
