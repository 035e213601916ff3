// A run's story as a conversation: what was said to models, what they thought and answered, which tools they used and what these gave, each once and in the
// order of time. A model is given all of it again with each call; only what is new in a call is a turn.

import { getAgentName, formatMessageDirection } from "../history/agents.ts";
import type { StoryItem, Story } from "../history/story.ts";
import { toReadableText } from "../ui/format.ts";

/** One turn of a conversation: a text with its time, its kind, and the agent that it belongs to. */
export interface ConversationTurn {
  /** ms on the recording's clock. */
  readonly time: number;
  readonly who: "step" | "system" | "user" | "model" | "thought" | "tool" | "note" | "error" | "message";
  /** Which of several agents it is, or was said to; "": the run's own. */
  readonly agent: string;
  /** Who or what it is, where more is known: the model's or tool's name. */
  readonly name: string;
  readonly text: string;
  /** What a tool was given. */
  readonly given?: string;
}

/** Returns the turns of a run's conversation, in the order of time. */
export function buildTurns(story: Story): ConversationTurn[] {
  const turns: ConversationTurn[] = story.steps.map(({ time, agent, title, error }) => ({
    time,
    who: "step",
    agent,
    name: title,
    text: error,
  }));
  const heard = new Set<string>();
  for (const item of story.items) {
    if (item.kind === "llm") turns.push(...ofCall(story, item, heard));
    else if (item.kind === "tool") turns.push(...ofTool(item));
    else if (item.kind === "note")
      turns.push({ time: item.time, who: "note", agent: getAgentName(item), name: "", text: text(item.event.text) });
    else if (item.kind === "agent_message")
      turns.push({
        time: item.time,
        who: "message",
        agent: getAgentName(item),
        name: formatMessageDirection(item),
        text: text(item.event.text),
      });
  }
  // What belongs to one moment stays as it was told; a step stands before what is said in it.
  return turns
    .map((turn, place) => ({ turn, place }))
    .sort((a, b) => a.turn.time - b.turn.time || a.place - b.place)
    .map(({ turn }) => turn);
}

function ofCall(story: Story, item: StoryItem, heard: Set<string>): ConversationTurn[] {
  const { event } = item;
  const name = text(event.model) || "model";
  const agent = getAgentName(item);
  const end = item.time;
  const begin = end - (Number(event.duration) || 0);
  const turns: ConversationTurn[] = [];
  for (const { role, content } of asked(story.promptOf(item))) {
    const said = toReadableText(content);
    const key = `${agent} ${role} ${said}`;
    if (heard.has(key) || !said) continue;
    heard.add(key);
    // What a model or a tool said before stands in the answer that it was.
    if (role === "assistant" || role === "model" || role === "tool" || role === "function") continue;
    const who = role === "system" || role === "developer" ? "system" : "user";
    turns.push({ time: begin, who, agent, name: "", text: said });
  }
  if (event.reasoning) turns.push({ time: end, who: "thought", agent, name, text: toReadableText(event.reasoning) });
  const answer = answered(event.response);
  if (answer) turns.push({ time: end, who: "model", agent, name, text: answer });
  if (event.error) turns.push({ time: end, who: "error", agent, name, text: toReadableText(event.error) });
  return turns;
}

function ofTool(item: StoryItem): ConversationTurn[] {
  const { time, event, result } = item;
  const agent = getAgentName(item);
  const name = text(event.name);
  const given = event.arguments === undefined || event.arguments === null ? "" : toReadableText(event.arguments);
  const error = result?.error ? toReadableText(result.error) : "";
  const gave = result?.result === undefined || result.result === null ? "" : toReadableText(result.result);
  const turns: ConversationTurn[] = [{ time, who: "tool", agent, name, text: "", given }];
  if (gave || error)
    turns.push({ time: result?.t ?? time, who: error ? "error" : "tool", agent, name, text: error || gave });
  return turns;
}

/** A prompt as messages: chat messages as such, everything else as one. */
function asked(prompt: unknown): Array<{ role: string; content: unknown }> {
  if (prompt === undefined || prompt === null) return [];
  return (Array.isArray(prompt) ? prompt : [prompt]).map((each: unknown) => {
    const of = (typeof each === "object" && each !== null ? each : {}) as { role?: unknown; content?: unknown };
    return { role: text(of.role) || "user", content: spoken("content" in of ? of.content : each) };
  });
}

/** The words of an answer; the tools that it asks for stand as turns of their own. */
function answered(response: unknown): string {
  if (response === undefined || response === null) return "";
  if (typeof response === "string") return response;
  const list = Array.isArray(response) ? response : [response];
  const told = list.map((each: unknown) => {
    const of = (typeof each === "object" && each !== null ? each : {}) as Record<string, unknown>;
    return spoken("content" in of ? of.content : "text" in of ? of.text : "tool_calls" in of ? "" : each);
  });
  return told.filter(Boolean).map(toReadableText).join("\n\n");
}

/** The words of a message whose content is in parts: those of its texts, where they are all that it has. */
function spoken(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const texts = content.map((part: unknown) =>
    typeof part === "object" && part !== null ? (part as { text?: unknown }).text : part,
  );
  return texts.every((each) => typeof each === "string") ? texts.join("\n\n") : content;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
