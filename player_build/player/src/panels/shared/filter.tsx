// What is typed over a list, and what of the list fits it.

export function Filter({ value, label, onInput }: { value: string; label: string; onInput: (text: string) => void }) {
  return (
    <input
      class="filter"
      type="search"
      placeholder="Filter"
      aria-label={label}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

/** Whether a text holds all words of a filter. */
export function fits(filter: string, ...texts: readonly unknown[]): boolean {
  const text = texts.join(" ").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Host and path of an address. */
export function shortUrl(url: string): string {
  try {
    const parsed = new URL(url);
    return parsed.host + parsed.pathname;
  } catch {
    return url;
  }
}
