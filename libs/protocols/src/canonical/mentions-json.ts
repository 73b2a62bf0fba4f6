/** Characters of a prompt that are looked at. Who mentions JSON only behind them is told once more to answer in it. */
const LOOKED_AT = 256 * 1024;

const WORD = /json/i;

/**
 * Whether a text among those of some messages holds the word JSON, which providers want there of who asks for a JSON answer.
 *
 * @param messages as the provider gets them; a prompt may have megabytes, so that only its beginning is read.
 */
export function mentionsJson(messages: unknown): boolean {
  const waiting: unknown[] = [messages];
  let left = LOOKED_AT;
  while (waiting.length > 0 && left > 0) {
    const value = waiting.pop();
    left--;
    if (typeof value === 'string') {
      if (WORD.test(value.slice(0, left))) return true;
      left -= value.length;
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value as object).toReversed()) waiting.push(inner);
    }
  }
  return false;
}
