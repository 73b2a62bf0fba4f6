import type { JsonObject } from '../json.js';
import { LIGHT, weigh } from '../strict-json/stringify-in-slices.js';

/**
 * What a provider reported of a task, as far as it is shown to its owner: everything, or of what is longer than an answer that is
 * written at once, the members that there is room for. Providers report a tenth of that; a list has up to 500 such answers.
 */
export function keepReported(reported: JsonObject): JsonObject {
  if (weigh(reported) < LIGHT) return reported;
  const kept: [string, unknown][] = [];
  let room = LIGHT - 1;
  for (const name of Object.keys(reported)) {
    if (room <= 0) break;
    const member: [string, unknown] = [name, reported[name]];
    const weight = weigh(member);
    if (weight > room) continue;
    kept.push(member);
    room -= weight;
  }
  return Object.fromEntries(kept);
}
