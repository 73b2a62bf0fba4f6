/** Values of fewer characters are written as JSON. */
const SMALL_CHARACTERS = 64 * 1024;

/**
 * A value as the text that a tokenizer counts: its JSON. Of a large one, whose tokens are estimated by the length of the text, its
 * names and texts one after another: writing them takes no time.
 */
export function textOfJson(value: unknown): string {
  const texts = listTexts(value);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length < SMALL_CHARACTERS ? JSON.stringify(value) : texts.join(' ');
}

/** Names of members and texts, in order; of everything else nothing. */
function listTexts(value: unknown): string[] {
  const texts: string[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') texts.push(next);
    else if (Array.isArray(next)) for (const item of next.toReversed()) waiting.push(item);
    else if (typeof next === 'object' && next !== null) {
      for (const [name, item] of Object.entries(next).toReversed()) waiting.push(item, name);
    }
  }
  return texts;
}
