import { checkModel } from '../canonical/check-model.js';
import { readNumber } from '../canonical/read-fields.js';
import { refuseOtherCaps } from '../canonical/refuse-other-caps.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { GatewayError } from '@mg/contract';
import { isObject, type JsonObject } from '../json.js';

/** What the gateway must know of a chat request; everything else stays in the raw bytes. */
export interface ChatEnvelope {
  readonly model: string;
  readonly stream: boolean;
  /** Whether the client asked for a usage event in its stream. */
  readonly includeUsage: boolean;
  /** Answers asked for. */
  readonly choices: number;
  /** The caller's own cap on the length of one answer, in tokens. */
  readonly maxTokens: number | undefined;
  /** Whether tools are declared as the deprecated `functions`. */
  readonly functionCalls?: boolean;
  readonly parsed: JsonObject;
}

const MAX_MESSAGES = 2_048;
const MAX_CHOICES = 128;
const MAX_TOKENS = 10_000_000;
const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

type Check = (value: unknown) => string | undefined;

const isText: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const isFlag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const isList: Check = (value) => (Array.isArray(value) ? undefined : 'must be an array');
const isMap: Check = (value) => (isObject(value) ? undefined : 'must be an object');
const isNumberIn =
  (low: number, high: number): Check =>
  (value) =>
    typeof value === 'number' && value >= low && value <= high
      ? undefined
      : `must be a number from ${low} to ${high}`;
const isCountIn =
  (low: number, high: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= low && (value as number) <= high
      ? undefined
      : `must be an integer from ${low} to ${high}`;
const isTextOrList: Check = (value) =>
  typeof value === 'string' || Array.isArray(value) ? undefined : 'must be a string or an array';
const isTextOrMap: Check = (value) =>
  typeof value === 'string' || isObject(value) ? undefined : 'must be a string or an object';

/**
 * Rules for the fields whose type is the same for every upstream. Fields that are not listed pass through unread;
 * `null` means the same as leaving a field out.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
const RULES: readonly (readonly [field: string, check: Check])[] = Object.entries({
  stream: isFlag,
  stream_options: isMap,
  temperature: isNumberIn(0, 2),
  top_p: isNumberIn(0, 1),
  n: isCountIn(1, MAX_CHOICES),
  best_of: isCountIn(1, MAX_CHOICES),
  max_tokens: isCountIn(1, MAX_TOKENS),
  max_completion_tokens: isCountIn(1, MAX_TOKENS),
  presence_penalty: isNumberIn(-2, 2),
  frequency_penalty: isNumberIn(-2, 2),
  seed: (value) => (Number.isInteger(value) ? undefined : 'must be an integer'),
  stop: isTextOrList,
  tools: isList,
  tool_choice: isTextOrMap,
  response_format: isMap,
  logprobs: isFlag,
  top_logprobs: isCountIn(0, 20),
  logit_bias: isMap,
  parallel_tool_calls: isFlag,
  user: isText,
  metadata: isMap,
  store: isFlag,
});

/**
 * Reads and checks a chat completion request.
 *
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readChatEnvelope(body: Buffer): ChatEnvelope {
  const parsed = parseRequestBody(body);
  const model = checkModel(parsed);
  for (const [field, check] of RULES) {
    const value = parsed[field];
    if (value === undefined || value === null) continue;
    const problem = check(value);
    if (problem !== undefined) refuse(field, problem);
  }
  const options = isObject(parsed.stream_options) ? parsed.stream_options : {};
  if (options.include_usage !== undefined && typeof options.include_usage !== 'boolean') {
    refuse('stream_options.include_usage', 'must be true or false');
  }
  checkMessages(parsed.messages);
  return {
    model,
    stream: parsed.stream === true,
    includeUsage: options.include_usage === true,
    choices: Math.max(readNumber(parsed.n) ?? 1, readNumber(parsed.best_of) ?? 1),
    maxTokens: readCap(parsed),
    ...(Array.isArray(parsed.functions) && parsed.functions.length > 0 ? { functionCalls: true } : {}),
    parsed,
  };
}

function readCap(parsed: JsonObject): number | undefined {
  const cap = parsed.max_completion_tokens ?? parsed.max_tokens;
  const tokens = readNumber(cap);
  refuseOtherCaps(parsed, tokens);
  return tokens;
}

function checkMessages(messages: unknown): void {
  if (!Array.isArray(messages) || messages.length === 0) refuse('messages', 'must be a non-empty array');
  if (messages.length > MAX_MESSAGES) refuse('messages', `must hold at most ${MAX_MESSAGES} messages`);
  messages.forEach((message: unknown, index) => {
    const name = `messages[${index}]`;
    if (!isObject(message)) refuse(name, 'must be an object');
    if (typeof message.role !== 'string') refuse(`${name}.role`, 'must be a string');
    if (!ROLES.has(message.role)) {
      refuse(`${name}.role`, 'must be one of system, developer, user, assistant, tool');
    }
    checkContent(message.content, `${name}.content`);
  });
}

function checkContent(content: unknown, name: string): void {
  if (content === undefined || content === null || typeof content === 'string') return;
  if (!Array.isArray(content)) refuse(name, 'must be a string or an array of parts');
  content.forEach((part: unknown, index) => {
    if (!isObject(part)) refuse(`${name}[${index}]`, 'must be an object');
    if (typeof part.type !== 'string') refuse(`${name}[${index}].type`, 'must be a string');
    if (part.type === 'image_url') checkImage(part.image_url, `${name}[${index}].image_url`);
  });
}

function checkImage(image: unknown, name: string): void {
  if (!isObject(image)) refuse(name, 'must be an object');
  if (typeof image.url !== 'string') refuse(`${name}.url`, 'must be a string');
}

function refuse(param: string, problem: string): never {
  throw new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}
