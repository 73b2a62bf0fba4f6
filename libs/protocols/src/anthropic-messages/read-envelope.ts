import type { ChatEnvelope } from '../chat/chat-envelope.js';
import { refuseOtherCaps } from '../canonical/refuse-other-caps.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { checkObjects, needItems } from '../canonical/check-fields.js';
import { isTooDeep, refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { refuseThread } from './refuse-thread.js';
import { countTokensRequest, MAX_MESSAGES, messagesRequest, ROLES } from './request-schema.js';

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
): ChatEnvelope {
  const parsed = parseRequestBody(body);
  if (isTooDeep(parsed)) refuseField('body', 'is nested too deep');
  const schema = options.needsMaxTokens === false ? countTokensRequest : messagesRequest;
  const fields = validate(schema, parsed);
  const maxTokens = fields.max_tokens ?? undefined;
  refuseOtherCaps(parsed, maxTokens);
  refuseThread(parsed);
  checkObjects(parsed, 'tools');
  checkConversation(parsed);
  return {
    model: fields.model,
    stream: fields.stream === true,
    // Streams of this protocol always report usage.
    includeUsage: true,
    choices: 1,
    maxTokens,
    parsed,
  };
}

function checkConversation(parsed: JsonObject): void {
  needItems(parsed.messages, 'messages', MAX_MESSAGES);
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
