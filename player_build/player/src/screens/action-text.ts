// What was done on a screen, in a few words: as it was told, or read off what a computer tool was given.

/** Keys whose value says more than their name. */
const PLAIN = new Set(["text", "keys", "key", "coordinate", "button", "scroll_direction", "scroll_amount"]);
const VERBS = ["action", "type", "function", "name"];

/** Returns an agent's action on the screen as text: `left click 310, 88`, `type “hello”`; "" for none. */
export function formatScreenAction(action: unknown): string {
  if (action === undefined || action === null) return "";
  if (typeof action === "string") return action;
  if (Array.isArray(action)) return action.map(formatScreenAction).filter(Boolean).join(", then ");
  if (typeof action !== "object") return JSON.stringify(action);
  const given = action as Record<string, unknown>;
  const verb = VERBS.find((name) => typeof given[name] === "string");
  const said = verb ? String(given[verb]).replaceAll("_", " ") : "";
  const { x, y, ...rest } = given;
  const place = typeof x === "number" && typeof y === "number" ? [`${round(x)}, ${round(y)}`] : [];
  const others = Object.entries(rest).flatMap(([name, value]) => (name === verb ? [] : told(name, value)));
  return [said, ...place, ...others].filter(Boolean).join(" ");
}

function told(name: string, value: unknown): string[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value) && value.every((each) => typeof each === "number"))
    return [[...(PLAIN.has(name) ? [] : [name.replaceAll("_", " ")]), value.map(round).join(", ")].join(" ")];
  if (name === "keys" && Array.isArray(value)) return [value.join("+")];
  if (name === "text") return [`\u201c${value}\u201d`];
  if (typeof value === "object") return [`${name} ${JSON.stringify(value)}`];
  return [PLAIN.has(name) ? String(value) : `${name.replaceAll("_", " ")} ${value}`];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
