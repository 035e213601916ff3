import "./style.css";
import type { Link } from "../decode/pieces.ts";
import { useDesk } from "../ui/hooks.ts";
import type { Desk } from "../ui/desk.ts";

/** The chain from what went wrong first to how the run failed: each sentence leads to its moment, and to its element, request or line. */
export function Why() {
  const desk = useDesk();
  const { why } = desk.player.index;
  if (!why) return null;
  return (
    <section class={`why ${why.failed ? "bad" : ""}`} aria-labelledby="why">
      <h2 id="why">{why.failed ? "Why it failed" : "What went wrong on the way"}</h2>
      <ol>
        {why.chain.map(([said, t, link], at) => (
          <li key={at}>
            <button type="button" onClick={() => follow(desk, t, link)}>
              {said}
            </button>
          </li>
        ))}
      </ol>
      {why.where && (
        <p class="where">
          {why.where.map((part) => (
            <code key={part}>{part}</code>
          ))}
        </p>
      )}
    </section>
  );
}

/** Shows the moment of a sentence, and what it is about. */
function follow(desk: Desk, t: number, { call, request, console, d, node }: Link): void {
  const { player } = desk;
  const entry = request && player.story.network.find((each) => each.request.id === request);
  if (entry) desk.set({ tab: "Network", opened: entry.index + 1 });
  else if (console) desk.set({ tab: "Console" });
  else if (call) desk.set({ opened: call });
  desk.set({ picked: d && node ? { d, id: node } : null });
  void player.seek(t);
}
