import { isObject, type JsonObject } from '../json.js';
import { refuseField } from './refuse.js';

/** What servers call the longest answer, each in its own protocol or as an extension of another's. */
const CAPS = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'max_tokens_to_sample',
  'max_length',
  'num_predict',
];

/**
 * Refuses a second cap on the answer that says something else than the one that the gateway goes by: some servers read the
 * one, some the other.
 *
 * @param cap what the gateway goes by, in tokens.
 * @throws GatewayError `invalid_request` naming the other cap.
 */
export function refuseOtherCaps(parsed: JsonObject, cap: number | undefined): void {
  for (const field of CAPS) checkCap(parsed[field], field, cap);
  // Ollama's own API has its settings there.
  if (isObject(parsed.options)) checkCap(parsed.options.num_predict, 'options.num_predict', cap);
}

function checkCap(value: unknown, field: string, cap: number | undefined): void {
  if (value === undefined || value === null || value === cap) return;
  refuseField(
    field,
    cap === undefined ? 'is not the cap of this protocol' : 'differs from the other cap on the answer',
  );
}
