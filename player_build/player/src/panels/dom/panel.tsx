// The DOM tab: the tree of the page at the moment shown.

import "./style.css";
import { useLayoutEffect, useState } from "preact/hooks";
import type { DocumentLog } from "../../history/document-log.ts";
import type { DocumentVersion } from "../../state/document-version.ts";
import type { ModelNode } from "../../state/node.ts";
import { trieGet } from "../../state/trie.ts";
import type { NodeReference } from "../../ui/state.ts";
import { useUi, usePlayer, useUiValue } from "../../ui/hooks.ts";
import { Icon } from "../../ui/icons.tsx";
import { NamedBlock } from "../shared/lists.tsx";

/** Children of one node that are listed. */
const MOST = 150;

/**
 * The DOM tree of the page at the player's time, and the element that the reader picked in the tree or on the page.
 */
export function DomPanel() {
  const ui = useUi();
  const { player } = ui;
  const log = useUiValue(() => player.stage.log);
  const version = useUiValue(() => player.stage.log?.stateAt(player.time) ?? null);
  const picked = useUiValue(() => ui.picked);
  const picking = useUiValue(() => ui.picking);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => {
    if (picked) setOpen((before) => new Set([...before, ...above(player.recording.documents, picked, player.time)]));
  }, [picked]);
  useLayoutEffect(() => {
    document.querySelector(".dom [aria-current]")?.scrollIntoView({ block: "center" });
  }, [picked, open]);
  if (!log || !version) return <p class="empty">No page shows at this moment.</p>;
  return (
    <>
      <div class="tools">
        <button
          type="button"
          class="plain"
          aria-pressed={picking}
          title="Then press an element of the page (I)"
          onClick={() => ui.set({ picking: !picking })}
        >
          <Icon name="pick" /> {picking ? "Click an element of the page" : "Pick an element"}
        </button>
      </div>
      {picked && <Picked pick={picked} />}
      <ul class="dom">
        <Rows
          log={log}
          version={version}
          ids={trieGet(version.nodes, version.root)?.children ?? []}
          open={open}
          setOpen={setOpen}
        />
      </ul>
    </>
  );
}

type SetOpen = (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
interface Part {
  readonly log: DocumentLog;
  readonly version: DocumentVersion;
  readonly open: ReadonlySet<string>;
  readonly setOpen: SetOpen;
}

function Rows({ ids, ...part }: Part & { ids: readonly number[] }) {
  return (
    <>
      {ids.slice(0, MOST).map((id) => {
        const node = trieGet(part.version.nodes, id);
        return node && !(node.kind === "text" && !node.data.trim()) ? <Row key={id} node={node} {...part} /> : null;
      })}
      {ids.length > MOST && <li class="soft">… {ids.length - MOST} more</li>}
    </>
  );
}

function Row({ node, log, version, open, setOpen }: Part & { node: ModelNode }) {
  const ui = useUi();
  const { player } = ui;
  const current = useUiValue(() => ui.picked?.d === log.d && ui.picked.id === node.id);
  if (node.kind !== "element" && node.kind !== "shadow" && node.kind !== "content")
    return (
      <li class="soft">
        {node.kind === "text"
          ? node.data.trim().slice(0, 300)
          : node.kind === "doctype"
            ? `<!DOCTYPE ${node.tag}>`
            : `# ${node.data.slice(0, 80)}`}
      </li>
    );
  const frame =
    node.tag === "iframe" || node.tag === "frame"
      ? player.recording.embeddedAt(log.d, node.id, player.time)
      : undefined;
  const only = node.children.length === 1 ? trieGet(version.nodes, node.children[0] as number) : undefined;
  const text = only?.kind === "text" && only.data.length < 60 && !node.inner ? only.data.trim() : undefined;
  const leaf = !frame && !node.inner && (node.children.length === 0 || text !== undefined);
  const key = `${log.d}:${node.id}`;
  const pick = (): void => ui.set({ picked: { d: log.d, id: node.id } });
  const head = <Tag node={node} text={leaf ? text : undefined} />;
  if (leaf)
    return (
      <li aria-current={current || undefined}>
        <button type="button" onClick={pick}>
          {head}
        </button>
      </li>
    );
  const expanded = open.has(key) || node.tag === "html" || node.tag === "body";
  return (
    <li aria-current={current || undefined}>
      <button
        type="button"
        aria-expanded={expanded}
        onClick={() => {
          pick();
          setOpen((before) => {
            const after = new Set(before);
            if (!after.delete(key)) after.add(key);
            return after;
          });
        }}
      >
        {head}
      </button>
      {expanded && (
        <ul>
          {node.inner !== 0 && <Rows log={log} version={version} ids={[node.inner]} open={open} setOpen={setOpen} />}
          <Rows log={log} version={version} ids={node.children} open={open} setOpen={setOpen} />
          {frame && <Frame log={frame} open={open} setOpen={setOpen} />}
        </ul>
      )}
    </li>
  );
}

function Frame({ log, open, setOpen }: Omit<Part, "version">) {
  const version = useUiValue((player) => log.stateAt(player.time));
  return (
    <Rows
      log={log}
      version={version}
      ids={trieGet(version.nodes, version.root)?.children ?? []}
      open={open}
      setOpen={setOpen}
    />
  );
}

function Tag({ node, text }: { node: ModelNode; text: string | undefined }) {
  if (node.kind !== "element")
    return <span class="tag">#{node.kind === "shadow" ? `shadow (${node.tag})` : "content"}</span>;
  return (
    <>
      <span class="tag">&lt;{node.tag}</span>
      {Object.entries(node.attributes).map(([name, value]) => (
        <span key={name}>
          {" "}
          <span class="name">{name}</span>={'"'}
          <span class="value">{value.length > 80 ? `${value.slice(0, 80)}…` : value}</span>
          {'"'}
        </span>
      ))}
      <span class="tag">&gt;</span>
      {text}
    </>
  );
}

function Picked({ pick }: { pick: NodeReference }) {
  const player = usePlayer();
  const about = useUiValue(() =>
    JSON.stringify(
      describe(player.stage.find(pick.d, pick.id)?.element, pick, player.time, player.recording.documents),
    ),
  );
  const steps = player.stepsThatTouched(pick.d, pick.id);
  const text = JSON.parse(about) as { computed: string; state: string };
  return (
    <div class="detail">
      {text.computed ? (
        <NamedBlock name="Computed">{text.computed}</NamedBlock>
      ) : (
        <p class="soft">It is not on the page at this moment.</p>
      )}
      {text.state && <NamedBlock name="State">{text.state}</NamedBlock>}
      <h2 class="label">Steps that touched it</h2>
      {steps.size === 0 && <p class="soft">None.</p>}
      {[...steps].map(([id, t]) => (
        <p key={id}>
          <button type="button" class="plain" onClick={() => void player.seek(t)}>
            {player.story.step(id)?.title}
          </button>
        </p>
      ))}
    </div>
  );
}

function describe(
  element: Element | undefined,
  pick: NodeReference,
  t: number,
  documents: ReadonlyMap<number, DocumentLog>,
): { computed: string; state: string } {
  const version = documents.get(pick.d)?.stateAt(t);
  const node = version && trieGet(version.nodes, pick.id);
  const { value, checked, selected, scroll, masked, media } = node?.state ?? {};
  const state = Object.entries({ value, checked, selected, scroll, masked, media })
    .filter(([, said]) => said !== undefined)
    .map(([name, said]) => `${name}: ${JSON.stringify(said)}`);
  if (version?.focus === pick.id) state.push("focused");
  const view = element?.ownerDocument.defaultView;
  if (!element || !view) return { computed: "", state: state.join("\n") };
  const box = element.getBoundingClientRect();
  const style = view.getComputedStyle(element);
  const lines = [`box: ${round(box.x)}, ${round(box.y)}  ${round(box.width)} × ${round(box.height)} px`];
  for (const name of [
    "display",
    "position",
    "margin",
    "border",
    "padding",
    "font",
    "color",
    "background-color",
    "opacity",
    "z-index",
    "overflow",
  ]) {
    const computed = style.getPropertyValue(name);
    if (computed) lines.push(`${name}: ${computed}`);
  }
  return { computed: lines.join("\n"), state: state.join("\n") };
}

/** The keys of the nodes above a picked one, through frames. */
function above(documents: ReadonlyMap<number, DocumentLog>, { d, id }: NodeReference, t: number): string[] {
  const keys: string[] = [];
  const version = documents.get(d)?.stateAt(t);
  for (let node = version && trieGet(version.nodes, id); node; node = version && trieGet(version.nodes, node.parent))
    if (node.id !== id) keys.push(`${d}:${node.id}`);
  return keys;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
