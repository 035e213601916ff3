// The icons' shapes stand in the file's markup (player_build/icons.svg.j2).

export type IconName =
  | "play"
  | "pause"
  | "previous"
  | "next"
  | "check"
  | "cross"
  | "theme"
  | "lock"
  | "link"
  | "export"
  | "help"
  | "search"
  | "pick"
  | "compare";

/** An icon of the player's interface. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`#pagereel-icon-${name}`} />
    </svg>
  );
}
