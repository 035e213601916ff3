// The page of a suite: the list of its tests, and the one that is open.

import { useLayoutEffect } from "preact/hooks";
import type { App } from "../ui/app.tsx";
import { useSuite } from "./hooks.ts";
import { TestList } from "./list.tsx";
import type { Suite } from "./suite.ts";
import { buildTestFragment } from "./tests.ts";
import "./style.css";

/**
 * The interface of a suite: the list of tests, or the replay of the test that is open. The list keeps its scroll
 * position and filters.
 */
export function SuiteApp({ suite, Replay }: { suite: Suite; Replay: typeof App }) {
  useSuite(suite);
  const { opened } = suite;
  const bare = document.documentElement.classList.contains("bare");
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || event.defaultPrevented || !suite.opened || document.querySelector("dialog[open]"))
        return;
      event.preventDefault();
      suite.close();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [suite]);
  return (
    <>
      <TestList suite={suite} hidden={!!opened} />
      {opened && (
        <div class="test-open" key={opened.run.n}>
          {!bare && <Bar suite={suite} />}
          <Replay player={opened.player} host={opened.host} bare={bare} />
        </div>
      )}
    </>
  );
}

/** Over an open test: the way back, and to its other recordings. */
function Bar({ suite }: { suite: Suite }) {
  const { opened } = suite;
  if (!opened) return null;
  const { test, run } = opened;
  return (
    <nav class="test-bar" aria-label="Suite">
      <button type="button" onClick={() => suite.close()} title="All tests (Esc)">
        <span aria-hidden="true">&larr;</span> All tests
      </button>
      <span class={`ended ${run.outcome}`}>{run.outcome}</span>
      <span class="called" title={test.file ? `${test.file}::${test.name}` : test.name}>
        {test.name}
      </span>
      {(test.runs?.length ?? 0) > 1 && (
        <select
          aria-label="Recording"
          value={run.n}
          onChange={(event) =>
            void suite.go(buildTestFragment(test, Number(event.currentTarget.value))).catch(() => {})
          }
        >
          {test.runs?.map((each) => (
            <option key={each.n} value={each.n}>
              {`attempt ${each.retry + 1}: ${each.outcome}`}
            </option>
          ))}
        </select>
      )}
    </nav>
  );
}
