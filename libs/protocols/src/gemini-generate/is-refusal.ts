import { readObjects, readText } from '../canonical/read-fields.js';
import { throwUpstreamError } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import { readBlockedPrompt, readFailedGeneration } from './decode-response.js';
import { readFaultObject } from './errors.js';
import { readGeminiStop } from './map-stop-reason.js';

/**
 * Whether a policy stopped the prompt, or ended every candidate.
 *
 * @throws GatewayError `upstream_error` for an answer that failed or holds nothing.
 */
export function isGeminiRefusal(answer: JsonObject): boolean {
  const fault = readFaultObject(answer);
  if (fault) throwUpstreamError(fault.message);
  const candidates = readObjects(answer.candidates);
  if (candidates.length === 0 && !readBlockedPrompt(answer)) {
    throwUpstreamError("The upstream's answer holds no candidates.");
  }
  for (const candidate of candidates) {
    const glitch = readFailedGeneration(candidate);
    if (glitch !== undefined) throwUpstreamError(glitch);
  }
  return candidates.every(
    ({ finishReason }) => readGeminiStop(readText(finishReason) ?? 'STOP', false) === 'filtered',
  );
}
