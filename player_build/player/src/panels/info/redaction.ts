// What a redaction says of itself, in sentences: what was replaced, where, and what is not here at all.
import { formatCount, toReadableText } from "../../ui/format.ts";

/** Types of values, as a person says them: one and many. */
const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  PERSON: ["name of a person", "names of people"],
  ORGANIZATION: ["company", "companies"],
  LOCATION: ["place", "places"],
  ADDRESS: ["postal address", "postal addresses"],
  NRP: ["nationality or religion", "nationalities or religions"],
  TITLE: ["position", "positions"],
  DATE_TIME: ["day or time", "days or times"],
  EMAIL_ADDRESS: ["e-mail address", "e-mail addresses"],
  PHONE_NUMBER: ["telephone number", "telephone numbers"],
  USERNAME: ["user name", "user names"],
  URL: ["web address or part of one", "web addresses or parts of them"],
  SECRET: ["secret (cookies, tokens, passwords)", "secrets (cookies, tokens, passwords)"],
  VALUE: ["value of a form or an answer", "values of forms or answers"],
  ID: ["number or code", "numbers or codes"],
};

/** The first words of channels, as a person says where something stood. */
const PLACES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^dom\.(value|masked|editable|hidden|option|split)/, "form fields"],
  [/^dom\.(text|title|spelled)/, "texts of pages"],
  [/^dom\.|^document\./, "attributes and addresses of pages"],
  [/^(request|response|message|header)/, "network"],
  [/^console|^error/, "console"],
  [/^call/, "actions"],
  [/^(step|note|mark|agent|llm|tool|memory|message)/, "story and model calls"],
  [/^resource/, "style sheets, pictures and other files"],
];

interface Report {
  readonly policy?: string;
  readonly total?: number;
  readonly values?: number;
  readonly entities?: Readonly<Record<string, number>>;
  readonly channels?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly dropped?: Readonly<Record<string, number>>;
  readonly structural?: number;
  readonly lost?: number;
  /** Models that were not installed. */
  readonly without?: readonly string[];
}

/** Returns the report of a redaction as text, line by line; as JSON if it has another form than pagereel's. */
export function formatRedactionReport(said: unknown): string {
  const report = (said ?? {}) as Report;
  if (typeof said !== "object" || !report.policy || !report.channels) return toReadableText(said);
  const lines = [
    `By the policy “${report.policy}”: ${formatCount(report.values ?? 0, "value")} replaced, in ${formatCount(report.total ?? 0, "place")}. What stands there now is invented, and the same value has the same replacement everywhere.`,
    "",
    "What:",
    ...listed(
      report.entities ?? {},
      (kind, n) => KINDS[kind]?.[n === 1 ? 0 : 1] ?? kind.toLowerCase().replaceAll("_", " "),
    ),
    "",
    "Where:",
    ...listed(byPlace(report.channels), (place) => place),
  ];
  if (Object.keys(report.dropped ?? {}).length)
    lines.push(
      "",
      "Left out:",
      ...listed(report.dropped ?? {}, (kind) => kind.replace(/^(event|resource) (.*)/, "$2 ($1)")),
    );
  if (report.without?.length)
    lines.push(
      "",
      `Masked without ${report.without.join(", ")}: names and addresses in texts are found less often. \`pagereel setup\` brings them.`,
    );
  if (report.structural)
    lines.push(
      "",
      `${formatCount(report.structural, "short or common value")} replaced in place, and not looked for elsewhere.`,
    );
  if (report.lost)
    lines.push("", `${formatCount(report.lost, "file")} that pages asked for, not found by the masked addresses.`);
  return lines.join("\n");
}

function byPlace(channels: NonNullable<Report["channels"]>): Record<string, number> {
  const places: Record<string, number> = {};
  for (const [channel, found] of Object.entries(channels)) {
    const place = PLACES.find(([pattern]) => pattern.test(channel))?.[1] ?? channel;
    places[place] = (places[place] ?? 0) + Object.values(found).reduce((sum, n) => sum + n, 0);
  }
  return places;
}

function listed(counts: Readonly<Record<string, number>>, name: (key: string, n: number) => string): string[] {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return sorted.map(([key, n]) => `${String(n).padStart(6)}  ${name(key, n)}`);
}
