import { refuseOtherCaps } from '../canonical/refuse-other-caps.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { checkObjects } from '../canonical/check-fields.js';
import { isTooDeep, refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { countTokensRequest, MAX_MESSAGES, messagesRequest, ROLES } from './request-schema.js';

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

const KNOWN_ROLES: ReadonlySet<string> = new Set(ROLES);

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
  const schema = options.needsMaxTokens === false ? countTokensRequest : messagesRequest;
  const fields = validate(schema, parsed);
  const maxTokens = fields.max_tokens ?? undefined;
  refuseOtherCaps(parsed, maxTokens);
  checkObjects(parsed, 'tools');
  checkConversation(parsed);
  return {
    model: fields.model,
    stream: fields.stream === true,
    includeUsage: true,
    choices: 1,
    maxTokens,
    parsed,
  };
}

function checkConversation(parsed: JsonObject): void {
  const { messages } = parsed;
  if (!Array.isArray(messages) || messages.length === 0) refuseField('messages', 'must be a non-empty array');
  if (messages.length > MAX_MESSAGES) refuseField('messages', `must hold at most ${MAX_MESSAGES} messages`);
  if (parsed.system !== undefined && parsed.system !== null) checkContent(parsed.system, 'system');
  for (const { item, name } of checkObjects(parsed, 'messages')) {
    if (typeof item.role !== 'string') refuseField(`${name}.role`, 'must be a string');
    if (!KNOWN_ROLES.has(item.role)) refuseField(`${name}.role`, 'must be one of user, assistant, system');
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
