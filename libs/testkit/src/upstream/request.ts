import { isObject, type Json, listObjects, readText } from './json.js';
import { countTextTokens } from './tokens.js';

/** What the fake upstream reads of a chat's body, in the words of chat completions whatever the dialect. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly choices: number;
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[];
  readonly tools: readonly ChatTool[];
  readonly toolChoice: unknown;
  readonly responseSchema: unknown;
  /** Whether the caller asked to see reasoning, in dialects that let it say so. */
  readonly includesReasoning?: boolean;
  /** Whether the caller asks for nothing but a compaction of the conversation. */
  readonly compacts?: boolean;
  /** Whether the caller wants the answer kept, in dialects that keep some. */
  readonly stores?: boolean;
  /** The answer that the caller goes on from, in such dialects. */
  readonly previousId?: string | null;
  /** Whether the model thinks of everything, told to or not. */
  readonly reasonsByDefault?: boolean;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
}

export interface ChatTool {
  readonly name: string;
  readonly parameters: unknown;
}

/** A request that OpenAI refuses, in its own words. */
export interface Refusal {
  readonly message: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** Tokens OpenAI adds for each message and for the answer's own opening. */
const TOKENS_PER_MESSAGE = 3;
const TOKENS_PER_IMAGE = 85;

/** Reads a body as OpenAI does: unknown fields pass, contradictions are refused. */
export function readChatRequest(body: unknown): ChatRequest | Refusal {
  if (!isObject(body)) return refuse('We could not parse the JSON body of your request.', null);
  const { model, messages, stream_options: streamOptions } = body;
  if (typeof model !== 'string' || model === '') return refuse('you must provide a model parameter', null);
  if (!Array.isArray(messages)) return refuse("Missing required parameter: 'messages'.", 'messages');
  if (messages.length === 0) return refuse("Invalid 'messages': empty array.", 'messages');
  if (streamOptions !== undefined && streamOptions !== null && body['stream'] !== true) {
    return refuse(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
    );
  }
  if (body['max_tokens'] !== undefined && body['max_completion_tokens'] !== undefined) {
    return refuse(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      'max_tokens',
    );
  }
  return {
    model,
    messages: messages.filter(isObject) as unknown as ChatMessage[],
    stream: body['stream'] === true,
    includeUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
    choices: typeof body['n'] === 'number' ? body['n'] : 1,
    maxTokens: readCount(body['max_completion_tokens']) ?? readCount(body['max_tokens']),
    stop: readStop(body['stop']),
    tools: readTools(body['tools']),
    toolChoice: body['tool_choice'],
    responseSchema: readResponseSchema(body['response_format']),
  };
}

export function isRefusal(request: ChatRequest | Refusal): request is Refusal {
  return !('messages' in request);
}

/** Prompt tokens as OpenAI counts them: per message, per text, per image, and for the tool definitions. */
export function countPromptTokens(request: ChatRequest): number {
  let tokens = TOKENS_PER_MESSAGE;
  for (const message of request.messages) {
    tokens += TOKENS_PER_MESSAGE + countTextTokens(String(message.role)) + countContent(message.content);
  }
  return request.tools.length === 0 ? tokens : tokens + countTextTokens(JSON.stringify(request.tools));
}

export function countImages(request: ChatRequest): number {
  return request.messages.flatMap(listParts).filter((part) => part['type'] === 'image_url').length;
}

function countContent(content: unknown): number {
  if (typeof content === 'string') return countTextTokens(content);
  if (!Array.isArray(content)) return 0;
  return content.filter(isObject).reduce((sum, part) => {
    if (part['type'] === 'image_url') return sum + TOKENS_PER_IMAGE;
    return sum + (typeof part['text'] === 'string' ? countTextTokens(part['text']) : 0);
  }, 0);
}

function listParts(message: ChatMessage): Json[] {
  return listObjects(message.content);
}

function readTools(tools: unknown): ChatTool[] {
  if (!Array.isArray(tools)) return [];
  return tools
    .map((tool: unknown) => (isObject(tool) ? tool['function'] : undefined))
    .filter(isObject)
    .map((definition) => ({ name: String(definition['name']), parameters: definition['parameters'] }));
}

function readResponseSchema(format: unknown): unknown {
  if (!isObject(format)) return undefined;
  if (format['type'] === 'json_object') return { type: 'object', properties: { ok: { type: 'boolean' } } };
  return isObject(format['json_schema']) ? format['json_schema']['schema'] : undefined;
}

/** The schema that a prompt ends with: a model that gets its JSON format in the prompt follows it. */
export function readPromptSchema(texts: readonly unknown[]): unknown {
  const found = texts.map((text) => /JSON Schema:\s(\{[^]*\})$/.exec(readText(text))?.[1]);
  const schema = found.find((text) => text !== undefined);
  return schema === undefined ? undefined : (JSON.parse(schema) as unknown);
}

export function readStop(stop: unknown): string[] {
  const stops: unknown[] = Array.isArray(stop) ? stop : [stop];
  return stops.filter((text): text is string => typeof text === 'string' && text !== '');
}

export function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

export function refuse(message: string, param: string | null = null): Refusal {
  return { message, param, code: null };
}
