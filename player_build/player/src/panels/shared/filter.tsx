// What is above a list to have less of it, and what of the list then fits.

interface FilterProps {
  /** What the field is for, to whoever hears the page. */
  readonly label: string;
  readonly filter: string;
  readonly onFilter: (text: string) => void;
  /** What a tick leaves in the list. */
  readonly only: string;
  readonly ticked: boolean;
  readonly onTick: (ticked: boolean) => void;
}

/** The bar above a list: a field for filter words, and a checkbox that shows only problems. */
export function FilterBar({ label, filter, onFilter, only, ticked, onTick }: FilterProps) {
  return (
    <div class="tools">
      <input
        class="filter"
        type="search"
        placeholder="Filter"
        aria-label={label}
        value={filter}
        onInput={(event) => onFilter(event.currentTarget.value)}
      />
      <label class="check">
        <input type="checkbox" checked={ticked} onChange={(event) => onTick(event.currentTarget.checked)} />
        {only}
      </label>
    </div>
  );
}

/** Returns whether the texts, taken together, contain all words of a filter, ignoring case. */
export function matchesFilter(filter: string, ...texts: readonly unknown[]): boolean {
  const text = texts.join(" ").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
