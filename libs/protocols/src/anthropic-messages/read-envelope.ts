import { checkModel } from '../canonical/check-model.js';
import { refuseOtherCaps } from '../canonical/refuse-other-caps.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import {
  checkCount,
  checkFlag,
  checkList,
  checkNumber,
  checkObject,
  checkObjects,
  checkText,
} from '../canonical/check-fields.js';
import { isTooDeep, refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';

/** What the gateway must know of a messages request; everything else stays in the raw bytes. */
export interface MessagesEnvelope {
  readonly model: string;
  readonly stream: boolean;
  /** Streams of this protocol always report usage. */
  readonly includeUsage: true;
  readonly choices: 1;
  /** The caller's own cap on the length of the answer, in tokens; only a count of tokens has none. */
  readonly maxTokens: number | undefined;
  readonly parsed: JsonObject;
}

const MAX_MESSAGES = 100_000;
const MAX_TOKENS = 10_000_000;
const ROLES = new Set(['user', 'assistant', 'system']);

/**
 * Reads and checks a messages request.
 *
 * @param options.needsMaxTokens `false` for a count of tokens, which produces none.
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readMessagesEnvelope(
  body: Buffer,
  options: { readonly needsMaxTokens?: boolean } = {},
): MessagesEnvelope {
  const parsed = parseRequestBody(body);
  if (isTooDeep(parsed)) refuseField('body', 'is nested too deep');
  const model = checkModel(parsed);
  const stream = checkFlag(parsed, 'stream') === true;
  const maxTokens = checkCount(parsed, 'max_tokens');
  if (maxTokens === undefined && options.needsMaxTokens !== false) {
    refuseField('max_tokens', 'must be an integer: this protocol requires it');
  }
  if ((maxTokens ?? 0) > MAX_TOKENS) refuseField('max_tokens', `must be at most ${MAX_TOKENS}`);
  refuseOtherCaps(parsed, maxTokens);
  checkSettings(parsed);
  checkConversation(parsed);
  return {
    model,
    stream,
    includeUsage: true,
    choices: 1,
    maxTokens,
    parsed,
  };
}

/** Fields whose type is the same for every upstream; others pass unread. */
function checkSettings(parsed: JsonObject): void {
  checkShare(parsed, 'temperature');
  checkShare(parsed, 'top_p');
  checkCount(parsed, 'top_k');
  checkList(parsed, 'stop_sequences');
  checkObjects(parsed, 'tools');
  for (const field of ['tool_choice', 'thinking', 'metadata', 'output_config']) checkObject(parsed, field);
  checkText(parsed, 'service_tier');
}

function checkShare(parsed: JsonObject, field: string): void {
  const value = checkNumber(parsed, field);
  if (value !== undefined && !(value >= 0 && value <= 1)) refuseField(field, 'must be a number from 0 to 1');
}

function checkConversation(parsed: JsonObject): void {
  const { messages } = parsed;
  if (!Array.isArray(messages) || messages.length === 0) refuseField('messages', 'must be a non-empty array');
  if (messages.length > MAX_MESSAGES) refuseField('messages', `must hold at most ${MAX_MESSAGES} messages`);
  if (parsed.system !== undefined && parsed.system !== null) checkContent(parsed.system, 'system');
  for (const { item, name } of checkObjects(parsed, 'messages')) {
    if (typeof item.role !== 'string') refuseField(`${name}.role`, 'must be a string');
    if (!ROLES.has(item.role)) refuseField(`${name}.role`, 'must be one of user, assistant, system');
    checkContent(item.content, `${name}.content`);
  }
}

function checkContent(content: unknown, name: string, inside = false): void {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) refuseField(name, 'must be a string or an array of blocks');
  content.forEach((block: unknown, index) => {
    const path = `${name}[${index}]`;
    if (!isObject(block)) refuseField(path, 'must be an object');
    if (typeof block.type !== 'string') refuseField(`${path}.type`, 'must be a string');
    if (block.type === 'image' && !isObject(block.source)) {
      refuseField(`${path}.source`, 'must be an object');
    }
    if (block.type === 'tool_result' && Array.isArray(block.content) && !inside) {
      checkContent(block.content, `${path}.content`, true);
    }
  });
}
