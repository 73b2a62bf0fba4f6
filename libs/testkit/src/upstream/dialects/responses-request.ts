import { isObject, type Json, listObjects, readText } from '../json.js';
import { type ChatMessage, type ChatRequest, readCount, type Refusal, refuse } from '../request.js';
import type { Arrival } from './dialect.js';
import { findUnknown, listWords } from './refuse-unknown.js';
import { signReasoning } from './sign-reasoning.js';

const FIELDS = listWords(
  'model input instructions stream stream_options store include max_output_tokens max_tool_calls ' +
    'metadata parallel_tool_calls previous_response_id prompt reasoning prompt_cache_key ' +
    'prompt_cache_retention safety_identifier service_tier temperature text tool_choice tools ' +
    'top_logprobs top_p truncation user background conversation context_management ' +
    // Sent by OpenAI's own agent.
    'client_metadata',
);
const PART_TYPES = ['input_text', 'input_image', 'input_file', 'output_text', 'refusal'];

/** Reads a body as OpenAI does: unknown fields, forged reasoning and results without a call are refused. */
export function readResponsesRequest({ body }: Arrival): ChatRequest | Refusal {
  if (!isObject(body)) return refuse('We could not parse the JSON body of your request.');
  const unknown = findUnknown(body, FIELDS);
  if (unknown !== undefined) return refuse(`Unknown parameter: '${unknown}'.`, unknown);
  const items = listItems(body['input']);
  if (items.length === 0) return refuse("Missing required parameter: 'input'.", 'input');
  const problem = checkItems(items);
  if (problem) return problem;
  const format = isObject(body['text']) ? body['text']['format'] : undefined;
  const instructions = readText(body['instructions']);
  return {
    model: readText(body['model']),
    messages: [
      ...(instructions === '' ? [] : [{ role: 'system', content: instructions }]),
      ...items.flatMap(readItem),
    ],
    stream: body['stream'] === true,
    includeUsage: true,
    choices: 1,
    maxTokens: readCount(body['max_output_tokens']),
    stop: [],
    tools: listObjects(body['tools'])
      .filter((tool) => tool['type'] === 'function')
      .map((tool) => ({ name: readText(tool['name']), parameters: tool['parameters'] })),
    toolChoice: readChoice(body['tool_choice']),
    responseSchema: isObject(format) ? format['schema'] : undefined,
    includesReasoning: isObject(body['reasoning']),
    compacts: items.at(-1)?.['type'] === 'compaction_trigger',
    stores: body['store'] !== false,
    previousId: readText(body['previous_response_id']) || null,
  };
}

/** A conversation in the place of which a compaction stands, for nobody else to read. */
export function encryptCompaction(summary: string): string {
  return `${COMPACTED}${Buffer.from(summary).toString('base64')}`;
}

const COMPACTED = 'gAAAA';

export function encryptReasoning(thought: string): string {
  return signReasoning('openai', thought);
}

function listItems(input: unknown): Json[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listObjects(input);
}

function checkItems(items: readonly Json[]): Refusal | undefined {
  const calls = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const place = `input[${index}]`;
    if (item['type'] === 'function_call') calls.add(item['call_id']);
    if (item['type'] === 'function_call_output' && !calls.has(item['call_id'])) {
      return refuse(
        `No tool call found for function call output with call_id ${String(item['call_id'])}.`,
        'input',
      );
    }
    const part = listObjects(item['content']).find((one) => !PART_TYPES.includes(readText(one['type'])));
    if (part) return refuse(`Invalid value: '${readText(part['type'])}'.`, `${place}.content[0]`);
    const isForeign =
      item['type'] === 'compaction' && !readText(item['encrypted_content']).startsWith(COMPACTED);
    if (isForeign || (item['type'] === 'reasoning' && isForged(item))) {
      return refuse('The encrypted content could not be verified.', `${place}.encrypted_content`);
    }
  }
  const results = items
    .filter((item) => item['type'] === 'function_call_output')
    .map((item) => item['call_id']);
  const unanswered = [...calls].find((id) => !results.includes(id));
  return unanswered === undefined
    ? undefined
    : refuse(`No tool output found for function call ${String(unanswered)}.`, 'input');
}

function isForged(item: Json): boolean {
  const thought = listObjects(item['summary'])
    .map((part) => readText(part['text']))
    .join('');
  return item['encrypted_content'] !== encryptReasoning(thought);
}

function readItem(item: Json): ChatMessage[] {
  if (item['type'] === 'function_call_output') return [{ role: 'tool', content: readOutput(item['output']) }];
  if (typeof item['role'] !== 'string') return [];
  const { role, content } = item;
  if (!Array.isArray(content)) return [{ role, content }];
  return [{ role, content: listObjects(content).map(readPart) }];
}

function readPart(part: Json): Json {
  return part['type'] === 'input_image'
    ? { type: 'image_url' }
    : { type: 'text', text: readText(part['text']) };
}

function readOutput(output: unknown): string {
  if (typeof output === 'string') return output;
  return listObjects(output)
    .map((part) => readText(part['text']))
    .join('');
}

function readChoice(choice: unknown): unknown {
  return isObject(choice) && choice['type'] === 'function' ? { function: { name: choice['name'] } } : choice;
}
