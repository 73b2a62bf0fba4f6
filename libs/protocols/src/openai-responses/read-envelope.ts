import type { ChatEnvelope } from '../chat/chat-envelope.js';
import { refuseOtherCaps } from '../canonical/refuse-other-caps.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { isReasoningReference } from './decode-input.js';
import { readRepeatedSettings } from './repeated-settings.js';
import { compactRequest, MAX_ITEMS, responsesRequest, statelessRequest } from './request-schema.js';

/** @throws GatewayError `invalid_request` for what only works with the provider's memory. */
export function refuseStoredState(body: JsonObject): void {
  validate(statelessRequest, body);
}

/**
 * Reads and checks a request of the Responses API.
 *
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readResponsesEnvelope(body: Buffer): ChatEnvelope {
  const parsed = parseRequestBody(body);
  const fields = validate(responsesRequest, parsed);
  refuseStoredState(parsed);
  checkInput(fields.input);
  const maxTokens = fields.max_output_tokens ?? undefined;
  refuseOtherCaps(parsed, maxTokens);
  return {
    model: fields.model,
    stream: fields.stream ?? false,
    // Streams of this protocol always report usage.
    includeUsage: true,
    choices: 1,
    maxTokens,
    repeated: readRepeatedSettings(parsed),
    parsed,
  };
}

/**
 * Reads and checks a request to compact a conversation. Conversations that have become too long for an answer are taken.
 *
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readCompactEnvelope(body: Buffer): ChatEnvelope {
  const parsed = parseRequestBody(body);
  const { model, input } = validate(compactRequest, parsed);
  if (Array.isArray(input)) checkItems(input);
  else if (typeof input !== 'string') refuseField('input', 'must be a string or an array');
  return { model, stream: false, includeUsage: true, choices: 1, maxTokens: undefined, parsed };
}

function checkInput(input: unknown): void {
  if (input === undefined || input === null || typeof input === 'string') return;
  if (!Array.isArray(input)) refuseField('input', 'must be a string or an array');
  if (input.length > MAX_ITEMS) refuseField('input', `must hold at most ${MAX_ITEMS} items`);
  checkItems(input);
}

/** Items that are named and known were put in the place of their names before: an upstream would look for the rest in its account. */
function checkItems(items: readonly unknown[]): void {
  for (const [index, item] of items.entries()) {
    const path = `input[${index}]`;
    if (!isObject(item)) refuseField(path, 'must be an object');
    if (typeof item.type !== 'string' && (typeof item.role !== 'string' || item.content === undefined)) {
      refuseField(path, 'must have a type, or a role and a content');
    }
    if (item.type === 'item_reference' && !isReasoningReference(item)) {
      refuseField(path, 'names an item that is not kept for this API key: send the item itself');
    }
  }
}
