/** Each waits for a round trip or two to the gateway and to Postgres, for little of which anybody works. */
const AT_ONCE = 8;

/**
 * Does something for each item as they come, for several at once and no more than `mostBytes` of them, or for one that is larger.
 * The first failure ends it, once what was begun has come to its end.
 *
 * @throws what `work` threw first, or what `items` threw.
 */
export async function forSeveralAtOnce<Item>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
  sizes: { readonly of: (item: Item) => number; readonly most: number } = { of: () => 0, most: 0 },
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let bytes = 0;
  const begin = (item: Item, size: number) => {
    bytes += size;
    const task = work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => {
        running.delete(task);
        bytes -= size;
      });
    running.add(task);
  };
  try {
    for await (const item of items) {
      const size = sizes.of(item);
      while (running.size >= AT_ONCE || (running.size > 0 && bytes + size > sizes.most))
        await Promise.race(running);
      if (failures.length > 0) break;
      begin(item, size);
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
}
