// The lists beside the two pages: what differs, and what was done in each run.

import { useLayoutEffect, useRef } from "preact/hooks";
import { formatClockTime, toReadableText, formatDuration } from "../ui/format.ts";
import { useUiValue } from "../ui/hooks.ts";
import type { JointPlayer } from "./joint-player.ts";
import { type ActionSpan, type ActionPair, RUN_SIDES } from "./data.ts";

/** The section that says where the two runs diverge, and what followed from it. */
export function DivergenceChain({ joint }: { joint: JointPlayer }) {
  const { divergence, notes } = joint.told;
  return (
    <section class="chain" aria-labelledby="chain-title">
      <h2 id="chain-title">Where they part</h2>
      {divergence ? (
        <>
          <p class="where">
            <button
              type="button"
              class="plain"
              title="Go there (D)"
              onClick={() => void joint.choose(divergence.difference)}
            >
              {formatClockTime(divergence.b.t)}
            </button>{" "}
            {divergence.b.title && (
              <>
                in {"\u201c"}
                {divergence.b.title}
                {"\u201d"}{" "}
              </>
            )}
            <DifferenceKindLabel of={divergence.kind} />
          </p>
          <ol>
            {divergence.chain.map((sentence, index) => (
              <li key={index}>
                <Sentence joint={joint} place={divergence.links[index] ?? null}>
                  {sentence}
                </Sentence>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <p class="where">Nothing differs beyond noise.</p>
      )}
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </section>
  );
}

/** A sentence that opens both pages at what it is about. */
function Sentence({ joint, place, children }: { joint: JointPlayer; place: number | null; children: string }) {
  return place === null ? (
    <span>{children}</span>
  ) : (
    <button type="button" class="sentence" onClick={() => void joint.choose(place)}>
      {children}
    </button>
  );
}

/** A small label with the kind of a difference. */
export function DifferenceKindLabel({ of }: { of: string }) {
  return <i class={`kind k-${of}`}>{of}</i>;
}

/** The list of all differences, in order of time. */
export function DifferenceList({ joint }: { joint: JointPlayer }) {
  const { differences } = joint.told;
  const chosen = useUiValue(() => joint.chosen);
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const row = list.current?.querySelector("[aria-current]");
    const box = list.current?.parentElement;
    if (!row || !box) return;
    const [seen, room] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
    // Not `scrollIntoView`, which moves the whole page as well.
    if (seen.top < room.top + 40 || seen.bottom > room.bottom) box.scrollTop += seen.top - room.top - 48;
  }, [chosen]);
  return (
    <section class="list differences" aria-labelledby="differences-title">
      <h2 id="differences-title">Differences</h2>
      {differences.length === 0 && <p class="where">None.</p>}
      <ol ref={list}>
        {joint.order.map((place) => {
          const each = differences[place];
          if (!each) return null;
          const current = chosen === place;
          return (
            <li key={place}>
              <button type="button" aria-current={current || undefined} onClick={() => void joint.choose(place)}>
                <b class="number">{place + 1}</b>
                <DifferenceKindLabel of={each.kind} />
                <span>{each.sure ? each.said : `perhaps: ${each.said}`}</span>
                <small>{RUN_SIDES.map((side) => `${side.toUpperCase()} ${at(each.at[side])}`).join(" \u00b7 ")}</small>
              </button>
              {current && long(each.a, each.b) && (
                <dl class="values">
                  {RUN_SIDES.map((side) => (
                    <div key={side}>
                      <dt>{side.toUpperCase()}</dt>
                      <dd>
                        <pre>{each[side] === null ? "\u2013" : toReadableText(each[side])}</pre>
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function at(t: number | null): string {
  return t === null ? "\u2013" : formatClockTime(t);
}

/** Whether a sentence may have cut the values. */
function long(a: unknown, b: unknown): boolean {
  return [a, b].some((value) => value !== null && toReadableText(value).length > 60);
}

/** The table of the steps and calls of both runs: a row for each matched pair. */
export function ActionPairList({ joint }: { joint: JointPlayer }) {
  const { pairs } = joint.told;
  const now = useUiValue(() => current(joint));
  return (
    <section class="list steps" aria-labelledby="steps-title">
      <h2 id="steps-title">Steps</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair, index) => (
            <tr key={index} class={`${pair.kind} ${index === now ? "now" : ""}`}>
              {RUN_SIDES.map((side) => (
                <td key={side}>
                  {pair[side] ? (
                    <Cell
                      done={pair[side]}
                      pair={pair}
                      onClick={() => void joint.seek(joint.jointOf(side, pair[side]?.[2] ?? 0) + 1)}
                    />
                  ) : (
                    <span class="none">{"\u2013"}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({
  done: [kind, title, t, end, depth, failed],
  pair,
  onClick,
}: {
  done: ActionSpan;
  pair: ActionPair;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      class={kind === "step" ? "of-step" : ""}
      style={{ paddingLeft: `${8 + 14 * depth}px` }}
      onClick={onClick}
    >
      <span class="what">
        {title || kind}
        {pair.kind !== "paired" && (
          <i class={`kind k-${pair.kind}`}>
            {pair.kind === "added" ? "only B" : pair.kind === "removed" ? "only A" : "moved"}
          </i>
        )}
        {failed && <i class="kind k-outcome">failed</i>}
      </span>
      <small>{end > t ? formatDuration(end - t) : ""}</small>
    </button>
  );
}

/** The row that is under way: the last that began, in either run. */
function current(joint: JointPlayer): number {
  let found = -1;
  let latest = -1;
  joint.told.pairs.forEach((pair, index) => {
    for (const side of RUN_SIDES) {
      const done = pair[side];
      if (done && done[2] <= joint.timeOf(side) && joint.jointOf(side, done[2]) >= latest) {
        latest = joint.jointOf(side, done[2]);
        found = index;
      }
    }
  });
  return found;
}
