// Material UI: Emotion inserts its rules through CSSOM when built for production.
import { Accordion, AccordionDetails, AccordionSummary, Alert, AppBar, Autocomplete, Button, Checkbox, Chip, Dialog, DialogTitle, LinearProgress, Paper, Slider, Stack, Switch, Tab, Table, TableBody, TableCell, TableRow, Tabs, TextField, Toolbar, Typography } from "@mui/material";
import { useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";

let set;
function App() {
  const [s, change] = useState({ tab: 0, open: false, value: 30, alerts: 0 });
  set = (more) => flushSync(() => change((old) => ({ ...old, ...more })));
  return (
    <Stack spacing={2} sx={{ p: 2, "& .odd": { color: "crimson" } }}>
      <AppBar position="static"><Toolbar><Typography variant="h6">Kiln</Typography></Toolbar></AppBar>
      <Tabs value={s.tab}>{["One", "Two", "Three"].map((t) => <Tab key={t} label={t} disableRipple />)}</Tabs>
      <Stack direction="row" spacing={2}><Button variant="contained">Fire</Button><Checkbox checked={s.tab === 1} /><Switch checked={s.open} /><Chip label={`value ${s.value}`} color="secondary" /></Stack>
      <Slider value={s.value} />
      <TextField label="Glaze" value={s.tab ? "celadon" : ""} variant={s.tab === 2 ? "filled" : "outlined"} />
      <Autocomplete options={["ash", "chalk"]} renderInput={(p) => <TextField {...p} label="Pick" />} />
      {Array.from({ length: s.alerts }, (_, i) => <Alert key={i} severity={["error", "warning", "info", "success"][i % 4]}>Alert {i}</Alert>)}
      <Accordion expanded={s.tab === 2}><AccordionSummary>More</AccordionSummary><AccordionDetails><LinearProgress variant="determinate" value={s.value} /></AccordionDetails></Accordion>
      <Paper><Table><TableBody>{[1, 2, 3].map((n) => <TableRow key={n}><TableCell className={n % 2 ? "odd" : ""}>{n}</TableCell><TableCell>{n * s.value}</TableCell></TableRow>)}</TableBody></Table></Paper>
      <Dialog open={s.open}><DialogTitle>Really?</DialogTitle></Dialog>
    </Stack>
  );
}
createRoot(document.getElementById("app")).render(<App />);
window.marks = {
  tab: () => set({ tab: 1 }),
  value: () => set({ value: 75, alerts: 3 }),
  third: () => set({ tab: 2 }),
  dialog: () => set({ open: true }),
  closed: () => set({ open: false, alerts: 1 }),
};
