import { omitUndefined } from '@mg/contract';
import type { ChatEnvelope } from '../chat/chat-envelope.js';
import { needItems } from '../canonical/check-fields.js';
import { refuseField } from '../canonical/refuse.js';
import { refuseOtherCaps } from '../canonical/refuse-other-caps.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { isObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { chatRequest, MAX_MESSAGES, ROLES } from './request-schema.js';

const KNOWN_ROLES: ReadonlySet<string> = new Set(ROLES);

/**
 * Reads and checks a chat completion request.
 *
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readChatEnvelope(body: Buffer): ChatEnvelope {
  const parsed = parseRequestBody(body);
  const fields = validate(chatRequest, parsed);
  checkMessages(parsed.messages);
  const maxTokens = fields.max_completion_tokens ?? fields.max_tokens ?? undefined;
  refuseOtherCaps(parsed, maxTokens);
  return {
    model: fields.model,
    stream: fields.stream === true,
    includeUsage: fields.stream_options?.include_usage === true,
    choices: Math.max(fields.n ?? 1, fields.best_of ?? 1),
    maxTokens,
    ...omitUndefined({
      functionCalls: Array.isArray(parsed.functions) && parsed.functions.length > 0 ? true : undefined,
    }),
    parsed,
  };
}

function checkMessages(messages: unknown): void {
  needItems(messages, 'messages', MAX_MESSAGES).forEach((message, index) => {
    const name = `messages[${index}]`;
    if (!isObject(message)) refuseField(name, 'must be an object');
    if (typeof message.role !== 'string') refuseField(`${name}.role`, 'must be a string');
    if (!KNOWN_ROLES.has(message.role)) {
      refuseField(`${name}.role`, 'must be one of system, developer, user, assistant, tool');
    }
    checkContent(message.content, `${name}.content`);
  });
}

function checkContent(content: unknown, name: string): void {
  if (content === undefined || content === null || typeof content === 'string') return;
  if (!Array.isArray(content)) refuseField(name, 'must be a string or an array of parts');
  content.forEach((part: unknown, index) => {
    if (!isObject(part)) refuseField(`${name}[${index}]`, 'must be an object');
    if (typeof part.type !== 'string') refuseField(`${name}[${index}].type`, 'must be a string');
    if (part.type === 'image_url') checkImage(part.image_url, `${name}[${index}].image_url`);
  });
}

function checkImage(image: unknown, name: string): void {
  if (!isObject(image)) refuseField(name, 'must be an object');
  if (typeof image.url !== 'string') refuseField(`${name}.url`, 'must be a string');
}
