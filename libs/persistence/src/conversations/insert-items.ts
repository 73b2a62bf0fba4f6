import { newId } from '@mg/contract';
import type { EntityManager } from 'typeorm';

/** An item as it was given, and the id by which the conversation knows it. */
export interface StoredItem {
  readonly id: string;
  readonly item: unknown;
}

/** An item to add, with the id that it has or is to have. */
export type NewItem = StoredItem;

/** Items that are ready for their rows. */
export interface PreparedItems {
  readonly items: readonly NewItem[];
  /** Length of their JSON. */
  readonly jsonBytes: number;
  /** Length of each encrypted text. */
  readonly lengths: readonly number[];
  /** All encrypted texts, one after the other: the driver only copies bytes. */
  readonly texts: Buffer;
}

/** The conversation's row is locked by then, so that nobody else adds to it meanwhile. */
export async function insertItems(
  manager: EntityManager,
  conversationId: string,
  { items, lengths, texts }: PreparedItems,
  from: bigint,
): Promise<void> {
  await manager.query(
    `insert into conversation_item (conversation_id, id, position, bytes, sealed)
     select $1, id, $2::bigint + place - 1, length,
            convert_from(substr($5::bytea, (sum(length) over (order by place) - length + 1)::int, length), 'UTF8')
       from unnest($3::text[], $4::int[]) with ordinality as added (id, length, place)`,
    [conversationId, String(from), items.map(({ id }) => id), lengths, texts],
  );
  await manager.query(
    `update conversation set bytes = bytes + $2, item_count = item_count + $3, next_position = next_position + $3,
            used_at = now() where id = $1`,
    [conversationId, texts.length, items.length],
  );
}

/** The items, with new ids where theirs are taken, or occur twice. */
export function nameApart(items: readonly NewItem[], taken: readonly string[]): readonly NewItem[] {
  const used = new Set(taken);
  return items.map(({ id, item }) => {
    const free = used.has(id) ? `${id.slice(0, 32)}_${newId().replaceAll('-', '')}` : id;
    used.add(free);
    return { id: free, item };
  });
}
