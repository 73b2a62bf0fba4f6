import { explainIssue } from '@mg/contract';
import { z } from 'zod';
import { isTooLarge, TOO_LARGE } from './limits.js';

/** A choice may be asked for with twenty alternatives of each of its tokens. */
const MAX_CHOICES = 8;
const MAX_STOPS = 4;

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });

const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(partSchema), z.null()]).optional(),
});

const toolSchema = z.looseObject({
  type: z.string(),
  function: z.looseObject({ name: z.string().min(1), parameters: z.unknown().optional() }).optional(),
});

const formatSchema = z.looseObject({
  type: z.enum(['text', 'json_object', 'json_schema']),
  json_schema: z.looseObject({ schema: z.unknown().optional() }).optional(),
});

const namedToolSchema = z.looseObject({ function: z.looseObject({ name: z.string() }).optional() });

const toolChoiceSchema = z.union([
  z.string(),
  z.looseObject({
    ...namedToolSchema.shape,
    allowed_tools: z.looseObject({ tools: z.array(namedToolSchema) }).optional(),
  }),
]);

const tokenCap = z.int().min(1).nullish();

const bodySchema = z.looseObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.int().min(1).max(MAX_CHOICES).nullish(),
  max_tokens: tokenCap,
  max_completion_tokens: tokenCap,
  stop: z.union([z.string(), z.array(z.string()).max(MAX_STOPS)]).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  response_format: formatSchema.nullish(),
  reasoning_effort: z.string().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
});

export type ChatBody = z.output<typeof bodySchema>;
export type ChatMessage = ChatBody['messages'][number];

/** A body that a chat model would refuse, with the field to blame. */
export class ChatRefusal extends Error {
  override readonly name = 'ChatRefusal';

  constructor(
    message: string,
    readonly param: string | null,
  ) {
    super(message);
  }
}

/** Reads a chat completion's body. Fields it does not know pass. @throws ChatRefusal naming the wrong field. */
export function readChatBody(bytes: Buffer): ChatBody {
  if (isTooLarge(bytes)) throw new ChatRefusal(TOO_LARGE, null);
  const result = bodySchema.safeParse(parseJson(bytes));
  if (!result.success) {
    const { param, message } = explainIssue(result.error);
    throw new ChatRefusal(message, param === '' ? null : param);
  }
  return result.data;
}

/** A message's text, its parts joined. */
export function textOf(message: ChatMessage): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return content ? content.map((part) => part.text ?? '').join('') : '';
}

/** How many parts of a conversation are of a type, such as `image_url`. */
export function countParts(body: ChatBody, type: string): number {
  let count = 0;
  for (const { content } of body.messages) {
    if (Array.isArray(content)) count += content.filter((part) => part.type === type).length;
  }
  return count;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new ChatRefusal('The body is not valid JSON.', null);
  }
}
