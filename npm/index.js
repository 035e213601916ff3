// @ts-check
// A reporter of Playwright Test: makes a replay of each failing test's trace with `pagereel build`, and attaches it to the test's result.
// It is a guest: what goes wrong in it is said at the end, and fails no test.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, rmSync, statSync } from "node:fs";
import path from "node:path";

/** @typedef {{ title: string, place: string, replay: string, attachments: Array<object>, attachment: object, chain: string[], trouble: string }} Replay */
/** @typedef {{ status: number | null, out: string, err: string }} Ended */

const FAILED = new Set(["failed", "timedOut", "interrupted"]);
const OPTIONS = new Set(["command", "redaction", "each", "timeout", "quiet", "configDir", "_mode", "_commandHash"]);
const MOST_SENTENCES = 3;

export default class PagereelReporter {
  /** @param {import("./index.d.ts").PagereelOptions} options */
  constructor(options = {}) {
    const unknown = Object.keys(options).filter((name) => !OPTIONS.has(name) && !name.startsWith("_"));
    if (unknown.length)
      throw new Error(
        `@pagereel/reporter has no option ${unknown.join(", ")}; it has command, redaction, each, timeout and quiet.`,
      );
    this.redaction = options.redaction ?? "vendor";
    this.command = commandOf(options.command, this.redaction);
    this.each = options.each ?? false;
    this.timeout = options.timeout ?? 120_000;
    this.quiet = options.quiet ?? false;
    /** @type {Replay[]} */
    this.replays = [];
    /** @type {Promise<void>} */
    this.building = Promise.resolve();
    this.untraced = 0;
  }

  printsToStdio() {
    return false;
  }

  /** @param {any} test @param {any} result */
  onTestEnd(test, result) {
    if (!FAILED.has(result.status) || test.expectedStatus === result.status) return;
    const trace = result.attachments.find((/** @type {any} */ each) => each.name === "trace" && each.path);
    if (!trace) {
      this.untraced++;
      return;
    }
    const replay = path.join(path.dirname(trace.path), "replay.html");
    const attachment = { name: "replay", path: replay, contentType: "text/html" };
    // Attached at once, for reporters that look when the test ends; taken away again at the end where nothing was built.
    result.attachments.push(attachment);
    const made = {
      title: test.title,
      place: placeOf(test),
      replay,
      attachments: result.attachments,
      attachment,
      chain: [],
      trouble: "",
    };
    this.replays.push(made);
    if (!this.command.length) return;
    if (this.each) {
      finish(made, runSync(this.command, this.buildOf(trace.path, replay), this.timeout), () =>
        runSync(this.command, queryOf(replay), this.timeout),
      );
    } else {
      this.building = this.building.then(async () => {
        const built = await run(this.command, this.buildOf(trace.path, replay), this.timeout);
        const asked = built.status === 0 ? await run(this.command, queryOf(replay), this.timeout) : built;
        finish(made, built, () => asked);
      });
    }
  }

  /** @param {string} trace @param {string} replay */
  buildOf(trace, replay) {
    return ["build", trace, replay, "--redaction", this.redaction, "--force", "--quiet"];
  }

  async onEnd() {
    await this.building;
    for (const { replay, attachments, attachment, trouble } of this.replays) {
      if (trouble || !existsSync(replay)) attachments.splice(attachments.indexOf(attachment), 1);
    }
    const said = this.summary();
    if (said && !this.quiet) process.stdout.write(`\n${said}\n`);
  }

  /** What was made, a test after the other: where its replay is, and what went wrong first. */
  summary() {
    const lines = [];
    if (this.replays.length && !this.command.length) {
      lines.push(
        "pagereel was not found, so there are no replays: pip install 'pagereel[redaction]', or install uv or pipx, or name it (command).",
      );
    } else if (this.replays.length) {
      const built = this.replays.filter(({ trouble }) => !trouble);
      lines.push(
        `pagereel: ${built.length} ${built.length === 1 ? "replay" : "replays"} of ${this.replays.length} failed`,
      );
      for (const { title, place, replay, chain, trouble } of this.replays) {
        lines.push(`  ${plain(place)} › ${plain(title)}`);
        if (trouble) lines.push(`    no replay: ${plain(trouble)}`);
        else
          lines.push(
            `    ${path.relative(process.cwd(), replay)} (${kilobytes(replay)})`,
            ...chain.map((each) => `    ${plain(each)}`),
          );
      }
    }
    if (this.untraced) {
      lines.push(
        `pagereel: ${this.untraced} failed without a trace; use: { trace: "retain-on-failure" } in playwright.config records one.`,
      );
    }
    return lines.join("\n");
  }
}

/** How pagereel is called: as it is told, else from PATH, else by uvx or pipx, which bring it; empty where there is none of them.
 * @param {string | string[] | undefined} told @param {string} redaction @returns {string[]} */
export function commandOf(told, redaction, search = process.env.PATH ?? "") {
  if (told) return typeof told === "string" ? told.split(" ") : [...told];
  const spec = redaction === "off" ? "pagereel" : "pagereel[redaction]";
  if (found("pagereel", search)) return ["pagereel"];
  if (found("uvx", search)) return ["uvx", "--from", spec, "pagereel"];
  if (found("pipx", search)) return ["pipx", "run", "--spec", spec, "pagereel"];
  return [];
}

/** @param {string} name @param {string} search */
function found(name, search) {
  const endings = process.platform === "win32" ? [".exe"] : [""];
  return search
    .split(path.delimiter)
    .some(
      (folder) =>
        folder &&
        endings.some((ending) => statSync(path.join(folder, name + ending), { throwIfNoEntry: false })?.isFile()),
    );
}

/** Asks a replay what went wrong: it is masked itself. @param {string} replay */
function queryOf(replay) {
  return ["query", "first-failure", replay, "--redaction", "off", "--json"];
}

/** Notes how a build ended. @param {Replay} made @param {Ended} built @param {() => Ended} ask */
function finish(made, built, ask) {
  if (built.status !== 0 || !existsSync(made.replay)) {
    const said = built.err.trim().split("\n").at(-1) || `pagereel ended with ${built.status}`;
    made.trouble = said.replace(/^pagereel: /, "");
    try {
      rmSync(made.replay, { force: true });
    } catch (error) {
      made.trouble += ` (and what is at its place stays: ${unstarted(error).err})`;
    }
    return;
  }
  try {
    made.chain = (JSON.parse(ask().out).chain ?? []).slice(0, MOST_SENTENCES);
  } catch {
    made.chain = []; // The replay is there; only the sentence is not.
  }
}

/** @param {string[]} command @param {string[]} words @param {number} timeout @returns {Promise<Ended>} */
function run([name, ...first], words, timeout) {
  return new Promise((resolve) => {
    /** @type {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, import("node:stream").Readable>} */
    let child;
    try {
      child = spawn(name, [...first, ...words], { stdio: ["ignore", "pipe", "pipe"] });
    } catch (error) {
      return resolve(unstarted(error)); // Node throws for a name that no system takes.
    }
    // Node's own `timeout` keeps its timer where the program is not there.
    const timer = setTimeout(() => {
      child.kill();
      for (const stream of [child.stdout, child.stderr]) stream.destroy(); // A program that it started may keep them open.
    }, timeout);
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ status: null, out, err: error.message });
    });
    child.on("close", (status, signal) => {
      clearTimeout(timer);
      resolve({ status, out, err: signal ? `it took more than ${timeout / 1000} s` : err });
    });
  });
}

/** @param {string[]} command @param {string[]} words @param {number} timeout @returns {Ended} */
function runSync([name, ...first], words, timeout) {
  try {
    const done = spawnSync(name, [...first, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout,
      encoding: "utf8",
    });
    return { status: done.status, out: done.stdout ?? "", err: done.error ? done.error.message : done.stderr };
  } catch (error) {
    return unstarted(error);
  }
}

/** @param {unknown} error @returns {Ended} */
function unstarted(error) {
  return { status: null, out: "", err: error instanceof Error ? error.message : String(error) };
}

/** Where a test stands: its file and line. @param {any} test */
function placeOf(test) {
  return `${path.relative(process.cwd(), test.location.file)}:${test.location.line}`;
}

/** @param {string} file */
function kilobytes(file) {
  return `${Math.round((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1000)} kB`;
}

/** A text of a page or a test on one line, without what a terminal obeys. @param {string} text */
export function plain(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ").slice(0, 400);
}
