/** Returns the number of items at or before `t`. The items must be sorted by `time`. */
export function countItemsUntil<T>(items: readonly T[], t: number, time: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time(items[middle] as T) <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the last item at or before `t`; undefined if there is none. The items must be sorted by `time`. */
export function findLastItemUntil<T>(items: readonly T[], t: number, time: (item: T) => number): T | undefined {
  return items[countItemsUntil(items, t, time) - 1];
}
