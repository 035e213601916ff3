// The list of a suite's tests: filters, causes, pictures.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { formatClockTime, formatCount, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { useSuite } from "./hooks.ts";
import { FailurePicture } from "./failure-picture.tsx";
import type { SearchMatch } from "./search.ts";
import type { Suite } from "./suite.ts";
import { buildTestFragment, type TestFilter, filterTests, getTestRecording, type TestEntry } from "./tests.ts";

/** Tests that are listed in the first frame: more than any screen has room for. */
const FIRST = 40;
/** Found lines that a test shows. */
const LINES = 3;

/**
 * The list of tests, failed ones first, each with its first cause and a picture of its failure; it can be filtered
 * and searched.
 */
export function TestList({ suite, hidden }: { suite: Suite; hidden: boolean }) {
  useSuite(suite);
  const [choice, choose] = useState<TestFilter>({ outcome: "", file: "", tag: "", text: "" });
  const [found, setFound] = useState<ReadonlyMap<string, readonly SearchMatch[]>>(new Map());
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const words = choice.text.trim();
  useLayoutEffect(() => {
    let left = false;
    void suite.search(words).then((lines) => {
      if (!left) setFound(grouped(lines));
    });
    return () => {
      left = true;
    };
  }, [words]);
  useLayoutEffect(() => {
    if (hidden) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const typing = /^(?:INPUT|SELECT)$/.test((event.target as Element).tagName);
      if (event.key === "/" && !typing) box.current?.focus();
      else if (event.key === "Escape" && event.target === box.current) choose((was) => ({ ...was, text: "" }));
      else if (!typing && /^(?:j|k|ArrowDown|ArrowUp)$/.test(event.key))
        step(list.current, event.key === "j" || event.key === "ArrowDown" ? 1 : -1);
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [hidden]);
  const [most, setMost] = useState(FIRST);
  useLayoutEffect(() => {
    const timer = setTimeout(() => setMost(Number.POSITIVE_INFINITY), 50); // After the first frame.
    return () => clearTimeout(timer);
  }, []);
  const shown = useMemo(() => filterTests(suite.tests, choice, found), [choice, found]);
  return (
    <div class="suite" hidden={hidden}>
      <Header suite={suite} />
      <search class="filters">
        <div class="search">
          <Icon name="search" />
          <input
            ref={box}
            type="search"
            placeholder="Search tests, pages, steps, console, network"
            aria-label="Search tests, pages, steps, console, network"
            title="Search in all tests (/)"
            value={choice.text}
            onFocus={() => void suite.words.prepare()}
            onInput={(event) => choose({ ...choice, text: event.currentTarget.value })}
          />
        </div>
        <Outcomes suite={suite} choice={choice} choose={choose} />
        <Choose name="file" all="All files" suite={suite} choice={choice} choose={choose} of={(test) => [test.file]} />
        <Choose
          name="tag"
          all="All tags"
          suite={suite}
          choice={choice}
          choose={choose}
          of={(test) => test.tags ?? []}
        />
      </search>
      <main>
        <p class="visually-hidden" role="status">
          {formatCount(shown.length, "test")}
        </p>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: what is clicked are links, which keys click as well. */}
        <ul class="tests" aria-label="Tests" ref={list} onClick={(event) => follow(event, suite)}>
          {shown.slice(0, most).map((test) => (
            <Row key={test.id} suite={suite} test={test} lines={words ? (found.get(test.id) ?? []) : []} />
          ))}
        </ul>
        {!shown.length && <p class="none">No test is like that.</p>}
      </main>
    </div>
  );
}

function grouped(lines: readonly SearchMatch[]): Map<string, SearchMatch[]> {
  const found = new Map<string, SearchMatch[]>();
  for (const line of lines) {
    const those = found.get(line.test);
    if (those) those.push(line);
    else found.set(line.test, [line]);
  }
  return found;
}

/** Opens what a link of the list names. By its own it would leave the page where that is the `srcdoc` of a frame. */
function follow(event: MouseEvent, suite: Suite): void {
  const link = (event.target as Element).closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  suite.go(link.hash).catch(() => {}); // The list says what is not there.
}

/** Moves the focus to the next test, or the one before. */
function step(list: HTMLElement | null, by: 1 | -1): void {
  const links = [...(list?.querySelectorAll<HTMLElement>("a.name") ?? [])];
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[Math.min(links.length - 1, Math.max(0, at < 0 ? 0 : at + by))]?.focus();
}

function Header({ suite }: { suite: Suite }) {
  const { title, info } = suite.index;
  return (
    <>
      <header class="header">
        <h1>{title}</h1>
        <ul class="badges" aria-label="About this suite">
          <li>{formatCount(suite.tests.length, "test")}</li>
          <li
            class={info.redaction ? "good" : "warned"}
            title={
              info.redaction
                ? "Personal data was masked, in all tests under one key"
                : "This file shows what was recorded as it was recorded"
            }
          >
            {info.redaction ? "redacted" : "not redacted"}
          </li>
        </ul>
        <button type="button" class="quiet" aria-label="Light or dark" title="Light or dark" onClick={switchTheme}>
          <Icon name="theme" />
        </button>
      </header>
      {suite.notice && (
        <p class="damage notice" role="alert">
          {suite.notice}
        </p>
      )}
    </>
  );
}

function switchTheme(): void {
  const root = document.documentElement;
  const dark =
    root.dataset.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : root.dataset.theme === "dark";
  root.dataset.theme = dark ? "light" : "dark";
}

interface Chooses {
  readonly suite: Suite;
  readonly choice: TestFilter;
  readonly choose: (choice: TestFilter) => void;
}

/** How many tests ended how, to choose them by. */
function Outcomes({ suite, choice, choose }: Chooses) {
  const counts = new Map<string, number>();
  for (const { outcome, since } of suite.tests)
    for (const name of [outcome, ...(since ? [`since ${since}`] : [])]) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (
    <div class="outcomes" role="group" aria-label="Outcome">
      {[...counts].map(([name, number]) => (
        <button
          key={name}
          type="button"
          class={`ended ${name}`}
          aria-pressed={choice.outcome === name}
          onClick={() => choose({ ...choice, outcome: choice.outcome === name ? "" : name })}
        >
          {name.replace("since ", "")} <b>{number}</b>
        </button>
      ))}
    </div>
  );
}

function Choose({
  name,
  all,
  suite,
  choice,
  choose,
  of,
}: Chooses & { name: "file" | "tag"; all: string; of: (test: TestEntry) => readonly string[] }) {
  const names = useMemo(() => [...new Set(suite.tests.flatMap(of))].filter(Boolean).sort(), [suite]);
  if (!names.length) return null;
  return (
    <select
      aria-label={name === "file" ? "File" : "Tag"}
      value={choice[name]}
      onChange={(event) => choose({ ...choice, [name]: event.currentTarget.value })}
    >
      <option value="">{all}</option>
      {names.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

/** A test. One that passed is a line and no more: there are hundreds of them, and each element takes its memory. */
function Row({ suite, test, lines }: { suite: Suite; test: TestEntry; lines: readonly SearchMatch[] }) {
  const run = getTestRecording(test);
  const bad = test.outcome === "failed" || test.outcome === "flaky";
  const line = (
    <>
      <span class={`ended ${test.outcome}`}>{test.outcome}</span>
      {test.since && <span class={`ended since ${test.since}`}>{test.since}</span>}
      {run ? (
        <a class="name" href={buildTestFragment(test)}>
          {test.name}
        </a>
      ) : (
        <span class="name" title="There is no recording of it">
          {test.name}
        </span>
      )}
      {test.retries > 0 && <small>{formatCount(test.retries, "retry", "retries")}</small>}
      <small class="took">{formatDuration(test.duration)}</small>
    </>
  );
  const found = lines.length > 0 && <Lines test={test} lines={lines} />;
  if (!bad)
    return (
      <li class={`test line ${test.outcome}`}>
        {line}
        {found}
      </li>
    );
  return (
    <li class={`test ${test.outcome}`}>
      {run?.at !== undefined && <FailurePicture suite={suite} n={run.n} t={run.at} />}
      <div class="about">
        <p class="line">{line}</p>
        {test.cause && <p class="cause">{test.cause}</p>}
        {test.then && <p class="then">{test.then}</p>}
        {(test.file || test.tags) && (
          <small class="where">
            {test.file} {test.tags?.map((tag) => `@${tag}`).join(" ")}
          </small>
        )}
        {found}
      </div>
    </li>
  );
}

/** What was found in a test. */
function Lines({ test, lines }: { test: TestEntry; lines: readonly SearchMatch[] }) {
  return (
    <ul class="lines">
      {lines.slice(0, LINES).map((line) => (
        <li key={`${line.kind}${line.t}${line.text}`}>
          <a href={buildTestFragment(test, line.run, line.t)}>
            <i>{line.kind}</i> {line.text} <small>{formatClockTime(line.t)}</small>
          </a>
        </li>
      ))}
      {lines.length > LINES && <li class="more">{formatCount(lines.length - LINES, "more line")}</li>}
    </ul>
  );
}
