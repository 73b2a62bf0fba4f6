import { isObject, type JsonObject } from '../json.js';

/**
 * Items as lists of them show them: each with an id, and messages with parts.
 *
 * @param owner makes ids unique among lists, for items that have none.
 */
export function listInputItems(owner: string, items: readonly unknown[], prefix = 'item'): JsonObject[] {
  return items.filter(isObject).map((item, index) => {
    const { content, role } = item;
    const id = typeof item.id === 'string' ? item.id : `${prefix}_${owner}_${index}`;
    if (item.type !== undefined && item.type !== 'message') return { ...item, id };
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    const parts = typeof content === 'string' ? [{ type, text: content }] : content;
    return { status: 'completed', ...item, type: 'message', id, content: parts };
  });
}
