// An agent's name and colour.

import type { AgentStyle } from "../history/agents.ts";

/** An agent's name, after its initials in its colour. */
export function AgentName({ look }: { look: AgentStyle | undefined }) {
  if (!look) return null;
  return (
    <>
      <span class="agent">
        <b aria-hidden="true" style={{ background: `var(--${look.colour})` }}>
          {look.initials}
        </b>
        {look.name}
      </span>{" "}
    </>
  );
}
