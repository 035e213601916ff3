// Who acts in a run with several agents, and how each is told from the others: by its name and initials, and by a colour beside these.

import type { PlayerEvent } from "../decode/events.ts";
import type { StoryItem, Step, Story } from "./story.ts";

/** How the player shows one of several agents: its name, its initials and its colour. */
export interface AgentStyle {
  readonly name: string;
  /** Two letters, for where the name does not fit. */
  readonly initials: string;
  /** A name of a colour of the style sheet. */
  readonly colour: string;
}

/** Colours of the style sheet; the ninth agent has the first one's again. */
const COLOURS = 8;

/**
 * Returns the agents by their names in events, in the order of their first event; an empty map if there are fewer
 * than two. The agent `""` is the run's own, shown under the name `own`.
 */
export function collectAgents(story: Story, own = "The run"): ReadonlyMap<string, AgentStyle> {
  const names = new Set<string>();
  const rows: Array<{ time: number; names: string[] }> = [
    ...story.steps.map(({ time, agent }) => ({ time, names: [agent] })),
    ...story.items.map(({ time, event }) => ({ time, names: namesIn(event) })),
  ];
  for (const row of rows.sort((a, b) => a.time - b.time)) for (const name of row.names) names.add(name);
  if (!story.steps.some(({ agent }) => !agent)) names.delete("");
  if (names.size < 2) return new Map();
  return new Map(
    [...names].map((name, place) => [
      name,
      { name: name || own, initials: getNameInitials(name || own), colour: `agent-${place % COLOURS}` },
    ]),
  );
}

function namesIn(event: PlayerEvent): string[] {
  if (event.k !== "agent_message") return event.agent ? [String(event.agent)] : [];
  return [event.agent, event.to].flatMap((name) => (name ? [String(name)] : []));
}

/** Returns the name of the agent that an item belongs to; "" for the run's own. */
export function getAgentName({ event }: StoryItem): string {
  return typeof event.agent === "string" ? event.agent : "";
}

/** Returns the sender and the receiver of an agent's message as text: `planner → buyer`. */
export function formatMessageDirection({ event }: StoryItem): string {
  return `${event.agent || "the run"} \u2192 ${event.to || "all"}`;
}

/** Returns whether an item belongs to an agent, or is a message to that agent. */
export function involvesAgent(item: StoryItem, agent: string): boolean {
  return getAgentName(item) === agent || item.event.to === agent;
}

/** Returns whether a step belongs to an agent, or has an item that involves the agent. */
export function stepInvolvesAgent(step: Step, agent: string): boolean {
  return step.agent === agent || step.items.some((item) => involvesAgent(item, agent));
}

/**
 * Returns two initials for a name: the first letters of its first two words, or the first two letters of a single
 * word.
 */
export function getNameInitials(name: string): string {
  const words = name.match(/[\p{Lu}]?[\p{Ll}]+|[\p{L}]+|\p{N}+/gu) ?? [name];
  const [first = "", second] = words;
  return (second ? `${[...first][0]}${[...second][0]}` : [...first].slice(0, 2).join("")).toUpperCase();
}
