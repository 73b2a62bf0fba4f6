import { pickRest } from '../canonical/check-fields.js';
import { limitAnswer } from '../canonical/limit-items.js';
import { throwUpstreamError, isTooDeep } from '../canonical/refuse.js';
import type { CanonicalChoice, CanonicalReply } from '../canonical/reply.js';
import { isObject, type JsonObject } from '../json.js';
import { readFaultObject } from '../openai-chat/errors.js';
import { countCompletionItems } from './count-items.js';
import { readCompletionLogprobs } from './logprobs.js';
import { readStopReason } from './map-stop-reason.js';
import { readChunkUsage } from './read-usage.js';

const FIELDS = new Set(['id', 'object', 'created', 'model', 'choices', 'usage']);

/** Reads a whole text completion. @throws GatewayError `upstream_error` when it is none. */
export function decodeReply(body: JsonObject): CanonicalReply {
  limitAnswer(countCompletionItems(body));
  if (!Array.isArray(body.choices) || isTooDeep(body)) {
    return throwUpstreamError(
      readFaultObject(body)?.message ?? 'The answer of the upstream is no text completion.',
    );
  }
  const rest = pickRest(body, FIELDS);
  return {
    id: typeof body.id === 'string' ? body.id : '',
    model: typeof body.model === 'string' ? body.model : '',
    created: typeof body.created === 'number' ? body.created : 0,
    choices: body.choices.filter(isObject).map(decodeChoice),
    usage: readChunkUsage(body),
    ext: rest ? { 'openai-completions': rest } : {},
  };
}

function decodeChoice({ text, finish_reason: reason, logprobs }: JsonObject): CanonicalChoice {
  return {
    blocks: typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [],
    stop: readStopReason(reason),
    stopSequence: undefined,
    refusal: undefined,
    logprobs: readCompletionLogprobs(logprobs),
  };
}
