import { span } from "../ui/format.ts";
import type { Suite } from "./suite.ts";
import type { Test } from "./tests.ts";

/** The tests: what failed first, with its first cause. */
export function List({ suite, hidden }: { suite: Suite; hidden: boolean }) {
  return (
    <div class="suite" hidden={hidden}>
      <header class="header">
        <h1>{suite.index.title}</h1>
      </header>
      {suite.notice && (
        <p class="damage notice" role="alert">
          {suite.notice}
        </p>
      )}
      <main>
        <ul class="tests" aria-label="Tests">
          {suite.tests.map((test) => (
            <Row key={test.id} suite={suite} test={test} />
          ))}
        </ul>
      </main>
    </div>
  );
}

function Row({ suite, test }: { suite: Suite; test: Test }) {
  return (
    <li class={`test ${test.outcome}`}>
      <a
        href={`#test=${test.id}`}
        onClick={(event) => {
          event.preventDefault();
          void suite.open(test.id).catch(() => {});
        }}
      >
        <span class={`outcome ${test.outcome}`}>{test.outcome}</span> {test.name} <small>{test.file}</small>
      </a>
      <small class="took">{span(test.duration)}</small>
      {test.cause && <p class="cause">{test.cause}</p>}
    </li>
  );
}
