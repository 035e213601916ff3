// Keyed lists that reorder, controlled inputs, a portal, and a boundary that catches.
import { Component, useReducer, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

const names = ["ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine"];
let act;

class Boundary extends Component {
  state = { error: null };
  static getDerivedStateFromError(error) { return { error }; }
  render() { return this.state.error ? <em>caught: {this.state.error.message}</em> : this.props.children; }
}
function Bomb({ on }) {
  if (on) throw new Error("on purpose");
  return <span>safe</span>;
}
function App() {
  const [state, dispatch] = useReducer((old, change) => ({ ...old, ...change(old) }), { list: names, text: "", open: false, bomb: false, rows: 0 });
  const [count, setCount] = useState(0);
  act = (change) => flushSync(() => { dispatch(change); setCount((n) => n + 1); });
  return (
    <main>
      <h1>Trees, change {count}</h1>
      <input value={state.text} onChange={(e) => dispatch(() => ({ text: e.target.value }))} />
      <textarea value={state.text.toUpperCase()} readOnly />
      <ul>{state.list.map((name, i) => <li key={name} style={{ paddingLeft: i * 6, background: `hsl(${name.length * 50} 60% 88%)` }}><label><input type="checkbox" defaultChecked={i % 2 === 0} /> {name}</label></li>)}</ul>
      <Boundary><Bomb on={state.bomb} /></Boundary>
      <table><tbody>{Array.from({ length: state.rows }, (_, i) => <tr key={i}><td>{i}</td><td>{names[i % names.length]}</td></tr>)}</tbody></table>
      {state.open && createPortal(<div role="dialog" className="pop"><p dangerouslySetInnerHTML={{ __html: "<b>in a portal</b> &amp; more" }} /></div>, document.body)}
    </main>
  );
}
createRoot(document.getElementById("app")).render(<App />);
window.marks = {
  shuffled: () => act((s) => ({ list: [...s.list].sort((a, b) => a.slice(1).localeCompare(b.slice(1))) })),
  typed: () => act(() => ({ text: "typed by state" })),
  portal: () => act((s) => ({ open: true, list: s.list.slice(0, 4).reverse() })),
  thrown: () => act(() => ({ bomb: true })),
  grown: () => act(() => ({ rows: 500, open: false })),
};
