import { checkModel } from '../canonical/check-model.js';
import { refuseOtherCaps } from '../canonical/refuse-other-caps.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { checkCount, checkFlag, checkList, checkNumber, checkObject } from '../canonical/check-fields.js';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';

/** What the gateway must know of a request; everything else stays in the raw bytes. */
export interface ResponsesEnvelope {
  readonly model: string;
  readonly stream: boolean;
  /** These streams always tell usage. */
  readonly includeUsage: boolean;
  /** Answers asked for: there is always one. */
  readonly choices: number;
  /** The caller's own cap on the length of the answer, in tokens. */
  readonly maxTokens: number | undefined;
  readonly parsed: JsonObject;
}

const MAX_ITEMS = 2_048;
const MAX_TOKENS = 10_000_000;

/** Fields that refer to what an earlier call left behind; this gateway keeps nothing of calls. */
const STORED_STATE = ['previous_response_id', 'conversation', 'prompt'] as const;

/** @throws GatewayError `invalid_request` for what only works with the provider's memory. */
export function refuseStoredState(body: JsonObject): void {
  for (const field of STORED_STATE) {
    if (body[field] !== undefined && body[field] !== null) {
      refuseField(field, 'refers to stored state, and this gateway stores none: send the whole input');
    }
  }
  if (body.background !== undefined && body.background !== null && body.background !== false) {
    refuseField('background', 'cannot be true: this gateway answers at once or not at all');
  }
}

/**
 * Reads and checks a request of the Responses API.
 *
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readResponsesEnvelope(body: Buffer): ResponsesEnvelope {
  const parsed = parseRequestBody(body);
  const model = checkModel(parsed);
  refuseStoredState(parsed);
  checkRange(parsed, 'temperature', 0, 2);
  checkRange(parsed, 'top_p', 0, 1);
  checkList(parsed, 'tools');
  checkObject(parsed, 'reasoning');
  checkObject(parsed, 'text');
  checkInput(parsed.input);
  return {
    model,
    stream: checkFlag(parsed, 'stream') ?? false,
    includeUsage: true,
    choices: 1,
    maxTokens: readCap(parsed),
    parsed,
  };
}

function checkRange(parsed: JsonObject, field: string, low: number, high: number): void {
  const value = checkNumber(parsed, field);
  if (value !== undefined && (value < low || value > high)) {
    refuseField(field, `must be a number from ${low} to ${high}`);
  }
}

function readCap(parsed: JsonObject): number | undefined {
  const cap = checkCount(parsed, 'max_output_tokens');
  if (cap !== undefined && (cap < 1 || cap > MAX_TOKENS)) {
    refuseField('max_output_tokens', `must be an integer from 1 to ${MAX_TOKENS}`);
  }
  refuseOtherCaps(parsed, cap);
  return cap;
}

function checkInput(input: unknown): void {
  if (input === undefined || input === null || typeof input === 'string') return;
  if (!Array.isArray(input)) refuseField('input', 'must be a string or an array');
  if (input.length > MAX_ITEMS) refuseField('input', `must hold at most ${MAX_ITEMS} items`);
  (input as unknown[]).forEach((item, index) => {
    if (!isObject(item)) refuseField(`input[${index}]`, 'must be an object');
  });
}
