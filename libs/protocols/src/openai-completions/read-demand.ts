import { type Demand, readTier } from '../chat/demand.js';
import type { JsonObject } from '../json.js';
import { hidesOutput } from '../openai-chat/read-demand.js';

/** What a text completion may use: its body is text, also where tokens stand as numbers. */
export function readCompletionDemand(body: Buffer, parsed: JsonObject): Demand {
  return {
    textBytes: body.length,
    images: 0,
    unboundedField: undefined,
    hidesOutput: hidesOutput(parsed),
    extraOutputTokens: 0,
    compactions: 0,
    tools: [],
    maxRounds: Infinity,
    tier: readTier(parsed.service_tier, 'service_tier'),
  };
}
