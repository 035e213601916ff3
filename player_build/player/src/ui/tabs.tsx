// The tabs above the page: the recorded pages, screens, the conversation.

import { listOpenPages } from "../api.ts";
import { usePlayer, useUiValue } from "./hooks.ts";

const NAMES = { page: "", screens: "Screen", conversation: "Conversation" };

/** The tabs of the recorded pages that are open, and of the recorded screens or the conversation. */
export function PageTabs() {
  const player = usePlayer();
  const open = JSON.parse(useUiValue((of) => JSON.stringify(listOpenPages(of)))) as ReturnType<typeof listOpenPages>;
  const page = useUiValue((of) => of.page);
  const track = useUiValue((of) => of.track);
  const tab = (pressed: boolean, text: string, choose: () => void, title?: string, agent = "") => (
    <button key={text + title} type="button" class="tab" aria-pressed={pressed} title={title} onClick={choose}>
      {agent && <small>{agent}: </small>}
      {text}
    </button>
  );
  return (
    <div class="tabs" role="group" aria-label="Tabs">
      {open.map((each) => {
        const pressed = track === "page" && each.page === page;
        const choose = () => player.choosePage(pressed && player.chosenPage ? 0 : each.page);
        return tab(pressed, each.title || each.url || "New tab", choose, each.url, each.agent);
      })}
      {player.tracks.map(
        (each) => each !== "page" && tab(track === each, NAMES[each], () => player.choosePage(0, each)),
      )}
    </div>
  );
}
