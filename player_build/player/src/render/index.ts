// The part of Preact that the player needs, in a quarter of its size: function components, hooks, context, lists with keys, SVG.
//
// The interface imports `preact`, whose types check it; scripts/build.mjs puts this module in its place, so that the player's script stays
// within its 40 kB. What holds here and must go on holding: nodes that others put into an element stay where they are, and an element that
// is in its place is never moved (moving a frame would reload it).

type Props = Record<string, unknown>;
type Child = VNode | string | number | boolean | null | undefined | readonly Child[];
type Component = (props: Props) => Child;
type Cleanup = (() => void) | undefined;

interface VNode {
  readonly type: string | Component | null;
  readonly props: Props;
  readonly key: unknown;
}

interface Hook {
  value?: unknown;
  deps?: readonly unknown[] | undefined;
  cleanup?: Cleanup;
}

/** A vnode that is shown: an element or text has a `node`, a component or fragment only children. */
interface Shown {
  vnode: VNode;
  readonly parent: Shown | null;
  node: Element | Text | null;
  children: Shown[];
  readonly hooks: Hook[];
  readonly depth: number;
  gone: boolean;
}

const SVG = "http://www.w3.org/2000/svg";
/** These are written as properties: what a control holds is not in its attributes. */
const PROPERTIES = new Set(["value", "checked", "hidden", "inert", "tabIndex", "disabled"]);

let current: Shown;
let index = 0;
const stale = new Set<Shown>();
let scheduled = false;
let effects: Array<() => void> = [];

export function Fragment({ children }: Props): Child {
  return children as Child;
}

export function jsx(type: string | Component, props: Props, key?: unknown): VNode {
  return { type, props, key };
}
export const jsxs = jsx;

export function render(vnode: VNode, parent: Element): void {
  const root = show(jsx(Fragment, {}), null);
  root.node = parent;
  reconcile(root, vnode);
  place(root);
  flush();
}

// -- hooks ---------------------------------------------------------------------------------------------------------------

function hook(): Hook {
  const at = index++;
  current.hooks[at] ??= {};
  return current.hooks[at] as Hook;
}

export function useState<T>(initial: T | (() => T)): [T, (next: T | ((before: T) => T)) => void] {
  const state = hook();
  const shown = current;
  if (!("value" in state)) state.value = typeof initial === "function" ? (initial as () => T)() : initial;
  return [
    state.value as T,
    (next) => {
      const value = typeof next === "function" ? (next as (before: T) => T)(state.value as T) : next;
      if (Object.is(value, state.value) || shown.gone) return;
      state.value = value;
      stale.add(shown);
      if (!scheduled) queueMicrotask(flush);
      scheduled = true;
    },
  ];
}

export function useRef<T>(initial: T): { current: T } {
  const state = hook();
  state.value ??= { current: initial };
  return state.value as { current: T };
}

function changed(state: Hook, deps: readonly unknown[] | undefined): boolean {
  const before = state.deps;
  state.deps = deps;
  return !deps || !before || deps.some((dep, at) => !Object.is(dep, before[at]));
}

export function useMemo<T>(make: () => T, deps: readonly unknown[]): T {
  const state = hook();
  if (changed(state, deps)) state.value = make();
  return state.value as T;
}

/** Runs when the document is as it was drawn, and before anything is painted. */
export function useEffect(effect: () => Cleanup, deps?: readonly unknown[]): void {
  const state = hook();
  if (!changed(state, deps)) return;
  const shown = current;
  effects.push(() => {
    state.cleanup?.();
    state.cleanup = shown.gone ? undefined : effect();
  });
}
export const useLayoutEffect = useEffect;

export function createContext<T>(otherwise: T): { Provider: Component; otherwise: T } {
  return { Provider: (props) => props.children as Child, otherwise };
}

export function useContext<T>(context: { Provider: Component; otherwise: T }): T {
  for (let at: Shown | null = current; at; at = at.parent)
    if (at.vnode.type === context.Provider) return at.vnode.props.value as T;
  return context.otherwise;
}

// -- drawing ---------------------------------------------------------------------------------------------------------------

/** Draws what changed, those further out first, then runs effects; these may change more. */
function flush(): void {
  scheduled = false; // First of all: whatever happens here, the next change is drawn.
  for (let round = 0; round < 50 && (stale.size || effects.length); round++) {
    const now = [...stale].sort((a, b) => a.depth - b.depth);
    for (const shown of now) {
      // Drawn meanwhile along with one further out, or gone with it.
      if (!stale.delete(shown) || shown.gone) continue;
      draw(shown);
      let above = shown.parent as Shown;
      while (!above.node) above = above.parent as Shown;
      place(above);
    }
    const run = effects;
    effects = [];
    for (const effect of run) effect();
  }
}

function show(vnode: VNode, parent: Shown | null): Shown {
  return { vnode, parent, node: null, children: [], hooks: [], depth: parent ? parent.depth + 1 : 0, gone: false };
}

/** Draws a shown vnode again. */
function draw(shown: Shown): void {
  const { type, props } = shown.vnode;
  if (typeof type === "function") {
    stale.delete(shown);
    current = shown;
    index = 0;
    reconcile(shown, type(props));
  } else if (type === null) {
    const text = String(props.text);
    if ((shown.node as Text).data !== text) (shown.node as Text).data = text;
  } else reconcile(shown, props.children as Child);
}

function reconcile(shown: Shown, children: Child): void {
  const wanted = vnodes(children);
  const before = shown.children;
  const used = new Set<Shown>();
  const keyed = new Map<unknown, Shown>();
  for (const old of before) if (old.vnode.key !== undefined) keyed.set(old.vnode.key, old);
  shown.children = wanted.map((vnode, at) => {
    let old = vnode.key === undefined ? before[at] : keyed.get(vnode.key);
    if (old && (old.vnode.type !== vnode.type || old.vnode.key !== vnode.key || used.has(old))) old = undefined;
    const child = old ?? create(vnode, shown);
    used.add(child);
    const last = old ? old.vnode.props : {};
    child.vnode = vnode;
    draw(child);
    if (typeof vnode.type === "string") {
      place(child);
      setProps(child.node as Element, last, vnode.props);
    }
    return child;
  });
  for (const old of before) if (!used.has(old)) remove(old, true);
}

/** Children as vnodes. A list within is a fragment of its own: what follows it keeps its place, however long the list is. */
function vnodes(children: Child): VNode[] {
  const list = (Array.isArray(children) ? children : [children]) as readonly Child[];
  return list.flatMap((child) => {
    if (typeof child === "string" || typeof child === "number")
      return [{ type: null, props: { text: child }, key: undefined }];
    if (Array.isArray(child)) return [jsx(Fragment, { children: child })];
    if (child && typeof child === "object") return [child as VNode];
    return list.length > 1 ? [NOTHING] : [];
  });
}

/** What is not there keeps its place, too. */
const NOTHING: VNode = { type: () => undefined, props: {}, key: undefined };

function create(vnode: VNode, parent: Shown): Shown {
  const shown = show(vnode, parent);
  if (vnode.type === null) shown.node = document.createTextNode("");
  else if (typeof vnode.type === "string") {
    let above: Shown | null = parent;
    while (above && !above.node) above = above.parent;
    const drawing = vnode.type === "svg" || (above?.node as Element | undefined)?.namespaceURI === SVG;
    shown.node = drawing ? document.createElementNS(SVG, vnode.type) : document.createElement(vnode.type);
  }
  return shown;
}

function remove(shown: Shown, top: boolean): void {
  shown.gone = true;
  stale.delete(shown);
  for (const state of shown.hooks) state?.cleanup?.();
  const { ref } = shown.vnode.props as { ref?: { current: unknown } };
  if (ref && shown.node) ref.current = null;
  if (shown.node && top) shown.node.remove();
  for (const child of shown.children) remove(child, top && !shown.node);
}

/** Puts the nodes below an element in order, from the last to the first; what is in its place is not touched. */
function place(shown: Shown): void {
  const parent = shown.node as Element;
  let next: Node | null = null;
  const visit = (at: Shown): void => {
    for (let child = at.children.length - 1; child >= 0; child--) {
      const { node } = at.children[child] as Shown;
      if (!node) visit(at.children[child] as Shown);
      else {
        if (node.parentNode !== parent || node.nextSibling !== next) parent.insertBefore(node, next);
        next = node;
      }
    }
  };
  visit(shown);
}

// -- attributes ------------------------------------------------------------------------------------------------------------

type Listening = Element & { pagereelOn?: Record<string, (event: Event) => void> };

function setProps(element: Element, before: Props, now: Props): void {
  for (const name of Object.keys(before)) if (!(name in now)) setProp(element, name, undefined);
  for (const name of Object.keys(now))
    if (now[name] !== before[name] || name === "value" || name === "checked") setProp(element, name, now[name]);
}

function setProp(element: Element, name: string, value: unknown): void {
  if (name === "children") return;
  if (name === "ref") {
    if (value) (value as { current: unknown }).current = element;
  } else if (name === "style") {
    const { style } = element as HTMLElement;
    for (const [property, text] of Object.entries((value ?? {}) as Record<string, string>))
      if (property.startsWith("--")) style.setProperty(property, text);
      else (style as unknown as Record<string, string>)[property] = text;
  } else if (name.startsWith("on")) listen(element, name.slice(2).toLowerCase(), value);
  else if (PROPERTIES.has(name) && name in element) {
    const target = element as unknown as Record<string, unknown>;
    const wanted = value ?? (name === "value" ? "" : false);
    if (target[name] !== wanted) target[name] = wanted;
  } else if (value === undefined || value === null || (value === false && !name.startsWith("aria-")))
    element.removeAttribute(name);
  else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
}

function listen(element: Listening, type: string, handler: unknown): void {
  element.pagereelOn ??= {};
  const on = element.pagereelOn;
  if (!(type in on)) element.addEventListener(type, (event) => on[type]?.(event));
  on[type] = (handler as ((event: Event) => void) | undefined) ?? (() => {});
}
