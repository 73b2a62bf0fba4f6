import { isObject, type JsonObject } from '../json.js';

/** A list with its objects changed, and what else is in it as it was; the very same list where nothing changed. */
export function mapObjects(
  list: unknown,
  change: (object: JsonObject, index: number) => JsonObject,
): unknown {
  if (!Array.isArray(list)) return list;
  const items: readonly unknown[] = list;
  const changed = items.map((item, index) => (isObject(item) ? change(item, index) : item));
  return changed.every((item, index) => item === items[index]) ? list : changed;
}
