// Builds and reorders the real tree of a document: which nodes there are, and where. What a node shows is the appearance's (appearance.ts).

import { hasPictureSource, PARENT_KINDS, type ModelNode } from "../state/node.ts";
import { MAX_PREVIEW_CHILDREN } from "../state/page-preview.ts";
import { createNode, getPaintedText } from "./nodes.ts";
import { OBJECT_ELEMENTS, type PaintedNodes, STYLE_ELEMENTS } from "./painted-nodes.ts";
import { tryToPaint } from "./problems.ts";
import { disableSheet, setCharacterData } from "./style-texts.ts";

/** Elements within each other that are built in one go. */
const DEEP = 200;

/** Removes all real nodes of a document, and builds the tree of its present version anew. */
export function rebuildTree(view: PaintedNodes): void {
  const { root } = view.current;
  view.clear();
  view.document.replaceChildren();
  view.painting.sheetsTouched = true;
  view.roots.set(root, view.document);
  view.scrolledNodes.add(root);
  const node = view.get(root);
  if (!node) return;
  view.real.set(root, view.document);
  paintChildren(view, node);
  view.repaint(node);
}

/** Removes the real nodes of the nodes `gone`. Returns the ids of the parents whose children must be painted again. */
export function removeRealNodes(view: PaintedNodes, gone: readonly number[]): Set<number> {
  const parents = new Set<number>();
  const unlist = (id: number): void => {
    if (view.forget(id)) view.painting.sheetsTouched = true;
  };
  for (const id of gone) {
    const element = view.real.get(id);
    if (element === undefined) continue;
    const still = view.get(id);
    if (still) {
      parents.add(still.parent);
      // What stays within it is built anew along with it: a shadow root's content cannot leave its real host alone.
      const stack = [still];
      for (let top = stack.pop(); top; top = stack.pop()) {
        for (const inner of [top.inner, ...top.children]) {
          const child = inner ? view.get(inner) : undefined;
          if (child) stack.push(child);
          unlist(inner);
        }
      }
    }
    unlist(id);
    if (element.nodeType !== Node.DOCUMENT_NODE && element.nodeType !== Node.DOCUMENT_FRAGMENT_NODE)
      (element as ChildNode).remove();
  }
  return parents;
}

/** Puts the real children of a node into their order, and creates the missing ones. */
export function paintChildren(view: PaintedNodes, node: ModelNode, existed = false): void {
  const parent = view.real.get(node.id);
  if (!parent || !PARENT_KINDS.has(node.kind)) return;
  if (node.inner) attachInner(view, node, parent as Element);
  if (STYLE_ELEMENTS.has(node.tag)) view.painting.touchedStyles.add(node.id);
  if (existed) {
    // First take out what does not belong here any more: then what stays is in order but for what was moved.
    const kept = new Set(node.children);
    for (const child of [...parent.childNodes]) {
      const id = view.idsByReal.get(child);
      if (id === undefined || !kept.has(id)) child.remove();
    }
  }
  let cursor: ChildNode | null = parent.firstChild;
  let left = node.tag === "head" ? Number.POSITIVE_INFINITY : MAX_PREVIEW_CHILDREN; // What is in a head styles the rest.
  for (const id of node.children) {
    const known = view.real.has(id);
    if (!known && Number.isFinite(view.painting.roomLeft) && (left-- <= 0 || view.painting.roomLeft-- <= 0)) {
      view.painting.unbuilt.add(node.id);
      break;
    }
    const child = tryToPaint(view.get(id)?.tag || "node", () => ensure(view, id)) as ChildNode | null | undefined;
    if (!child) continue;
    if (cursor === child) {
      cursor = cursor.nextSibling;
      continue;
    }
    if (cursor && cursor.nextSibling === child) {
      // One that went further down: step over it now, it is put in its place when its turn comes.
      const late: ChildNode = cursor;
      cursor = child.nextSibling;
      late.remove();
      view.painting.sheetsTouched = true;
      continue;
    }
    // What is moved takes its style elements along, and they come back with a sheet that is on.
    const moved = known && view.owners.size > 0;
    try {
      parent.insertBefore(child, cursor);
    } catch {
      // A tree that no document can have (two roots): what fits is shown.
    }
    if (moved) {
      view.painting.sheetsTouched = true;
      for (const owner of view.owners.values()) if (child.contains(owner)) disableSheet(owner);
    }
  }
  while (cursor) {
    const next: ChildNode | null = cursor.nextSibling;
    cursor.remove();
    cursor = next;
  }
  view.noteControl(node);
}

/** The real node of an id, which is made if there is none; null for one that cannot be. */
function ensure(view: PaintedNodes, id: number): Node | null {
  const known = view.real.get(id);
  if (known) return known;
  const node = view.get(id);
  const made = node ? createNode(view.document, node) : null;
  if (!node || !made) return null;
  view.addNode(node, made);
  if (node.kind === "text" || node.kind === "cdata") {
    const parent = view.get(node.parent);
    setCharacterData(
      made as CharacterData,
      parent && STYLE_ELEMENTS.has(parent.tag) ? "" : getPaintedText(node, parent),
    );
  }
  if (view.owners.has(id) && node.kind === "pi") view.painting.sheetsTouched = true;
  if (node.kind === "element") {
    tryToPaint(node.tag, () => view.repaint(node));
    if (view.painting.nesting > DEEP) view.painting.deep.push(node);
    else
      try {
        view.painting.nesting += 1;
        paintChildren(view, node);
      } finally {
        view.painting.nesting -= 1;
      }
  }
  return made;
}

/** Gives an element its shadow root, a template its content. */
function attachInner(view: PaintedNodes, node: ModelNode, host: Element): void {
  const inner = view.get(node.inner);
  if (!inner || view.real.has(inner.id)) return;
  if (inner.kind === "content") {
    const { content } = host as HTMLTemplateElement;
    if (!content) return;
    view.real.set(inner.id, content);
  } else {
    const options = inner.options ?? {};
    try {
      const root = host.attachShadow({
        mode: inner.tag === "closed" ? "closed" : "open",
        delegatesFocus: Boolean(options.delegatesFocus),
        slotAssignment: options.slotAssignment === "manual" ? "manual" : "named",
      });
      view.real.set(inner.id, root);
      view.roots.set(inner.id, root);
      view.painting.sheetsTouched = true;
    } catch {
      return; // An element that cannot have one in this browser.
    }
  }
  paintChildren(view, inner);
}

/**
 * Returns whether the real element of `old` can also represent the changed node `now`; if not, a new element must be
 * created. A shadow root cannot be removed or replaced, so an element that gains or loses one after it was painted
 * needs a new element. So do an image whose source was removed, and an object that has shown its own content.
 */
export function canReuseElement(old: ModelNode, now: ModelNode): boolean {
  if (now.tag === "img" && isFresh(now) && !isFresh(old)) return false;
  if (OBJECT_ELEMENTS.has(now.tag) && old.state.states !== now.state.states) return false;
  return old.inner === now.inner || old.inner === 0 || now.kind !== "element" || old.tag !== now.tag;
}

function isFresh(node: ModelNode): boolean {
  return !hasPictureSource(node) && !node.state.emptied;
}
