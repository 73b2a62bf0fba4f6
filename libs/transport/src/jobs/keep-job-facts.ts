import type { JsonObject } from '@mg/protocols';

/** Values of an answer, those within lists and objects included: some repeat an order, which may hold 20,000. */
const MOST_VALUES = 40_000;
/** Values that are looked at in one step: in objects of thousands of names it takes three milliseconds. */
const VALUES_IN_A_STEP = 5_000;
/** Of a text that is kept; twice the longest prompt. */
const LONGEST_TEXT = 64 * 1024;
/** Of all texts that are kept together. */
const MOST_CHARACTERS = 256 * 1024;

/**
 * What a provider says of a job, short enough to be read and written in one step: `null` stands for texts that say nothing of it, such
 * as pictures of the order, which some providers repeat. What stands further outside is kept first.
 *
 * @param json is changed.
 * @param pause is waited for between two steps.
 * @returns `undefined` where it holds more than any provider says of a job.
 */
export async function keepJobFacts(
  json: JsonObject,
  pause: () => Promise<void>,
): Promise<JsonObject | undefined> {
  const open: object[] = [json];
  let values = 0;
  let characters = 0;
  let pausedAt = 0;
  // Grows meanwhile.
  for (const outer of open) {
    if (values - pausedAt >= VALUES_IN_A_STEP) {
      pausedAt = values;
      await pause();
    }
    if (Array.isArray(outer) && outer.length > MOST_VALUES) return undefined;
    for (const [name, value] of Object.entries(outer) as [string, unknown][]) {
      if (++values > MOST_VALUES) return undefined;
      if (typeof value === 'object' && value !== null) open.push(value);
      if (typeof value !== 'string') continue;
      if (value.length > LONGEST_TEXT || characters + value.length > MOST_CHARACTERS) {
        Reflect.set(outer, name, null);
      } else characters += value.length;
    }
  }
  return json;
}
