// styled-components, in its production mode: rules by insertRule.
import { useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import styled, { createGlobalStyle, keyframes, ThemeProvider } from "styled-components";

const Global = createGlobalStyle`body { background: ${(p) => p.theme.back}; font-family: sans-serif; }`;
const enter = keyframes`from { opacity: 0 } to { opacity: 1 }`;
const Card = styled.div`padding: ${(p) => p.$pad}px; margin: 6px; border: 1px solid ${(p) => p.theme.line}; animation: ${enter} 100ms both; &:nth-child(2n) { background: ${(p) => p.theme.line}; } @media (min-width: 600px) { width: 300px; }`;
const Button = styled.button.attrs({ type: "button" })`color: ${(p) => (p.$hot ? "crimson" : "teal")}; ${Card} > & { font-weight: 700; }`;
const themes = [{ back: "#fff", line: "#cde" }, { back: "#223", line: "#568" }];
let set;
function App() {
  const [s, change] = useState({ theme: 0, pad: 4, hot: false, count: 3 });
  set = (more) => flushSync(() => change((old) => ({ ...old, ...more })));
  return <ThemeProvider theme={themes[s.theme]}><Global />{Array.from({ length: s.count }, (_, i) => <Card key={i} $pad={s.pad + i}><Button $hot={s.hot}>Card {i}</Button></Card>)}</ThemeProvider>;
}
createRoot(document.getElementById("app")).render(<App />);
window.marks = { padded: () => set({ pad: 20 }), hot: () => set({ hot: true }), dark: () => set({ theme: 1 }), many: () => set({ count: 9 }) };
