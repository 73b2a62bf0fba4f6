import { isObject, type Json, listObjects, readText } from '../json.js';
import { type ChatMessage, type ChatRequest, readCount, readStop, type Refusal, refuse } from '../request.js';
import type { Arrival } from './dialect.js';
import { findUnknown, listWords } from './refuse-unknown.js';
import { signReasoning } from './sign-reasoning.js';

const FIELDS = listWords(
  'model messages max_tokens system metadata stop_sequences stream temperature top_k top_p tools ' +
    'tool_choice thinking output_config service_tier cache_control context_management container ' +
    'mcp_servers inference_geo speed',
);
const TOOL_FIELDS = listWords(
  'name description input_schema type cache_control strict eager_input_streaming defer_loading ' +
    'input_examples allowed_callers',
);
const SEARCH_FIELDS = listWords(
  'type name max_uses allowed_domains blocked_domains user_location cache_control allowed_callers',
);
const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'citations', 'cache_control'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'title', 'context', 'citations', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'caller', 'cache_control'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
};
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
const MIN_BUDGET = 1_024;

/** Reads a body as Anthropic does: what it does not know, and turns out of order, are refused. */
export function readMessagesRequest({ headers, body }: Arrival): ChatRequest | Refusal {
  if (!isObject(body)) return refuse('The request body is not valid JSON: expected value');
  if (headers['anthropic-version'] === undefined) return refuse('anthropic-version: header is required');
  const unknown = findUnknown(body, FIELDS);
  if (unknown !== undefined) return refuse(`${unknown}: Extra inputs are not permitted`);
  const maxTokens = readCount(body['max_tokens']);
  if (maxTokens === undefined) return refuse('max_tokens: Field required');
  const turns = listObjects(body['messages']);
  if (turns.length === 0) return refuse('messages: at least one message is required');
  const tools = listObjects(body['tools']);
  const problem = checkTools(tools) ?? checkThinking(body, maxTokens) ?? checkTurns(turns, isThinking(body));
  if (problem !== undefined) return refuse(problem);
  const schema = isObject(body['output_config']) ? body['output_config']['format'] : undefined;
  return {
    model: readText(body['model']),
    messages: [...readSystem(body['system']), ...turns.flatMap(readTurn)],
    stream: body['stream'] === true,
    includeUsage: true,
    choices: 1,
    maxTokens,
    stop: readStop(body['stop_sequences']),
    tools: tools.map((tool) => ({ name: readText(tool['name']), parameters: tool['input_schema'] })),
    toolChoice: readChoice(body['tool_choice']),
    responseSchema: isObject(schema) ? schema['schema'] : undefined,
    includesReasoning: isThinking(body),
  };
}

/** The first problem of a cloud that fetches nothing: media by URL. */
export function refuseUrls(body: Json): Refusal | undefined {
  const blocks = listObjects(body['messages']).flatMap((turn) => listObjects(turn['content']));
  const isFar = blocks.some((block) => isObject(block['source']) && block['source']['type'] === 'url');
  return isFar ? refuse('messages.0.content.0.image.source: URL sources are not supported') : undefined;
}

export function isThinking(body: unknown): boolean {
  const thinking = isObject(body) && isObject(body['thinking']) ? body['thinking']['type'] : undefined;
  return thinking === 'enabled' || thinking === 'adaptive';
}

function checkTools(tools: readonly Json[]): string | undefined {
  for (const [index, tool] of tools.entries()) {
    const type = readText(tool['type']);
    if (type.startsWith('web_search_')) {
      const odd = findUnknown(tool, SEARCH_FIELDS);
      if (odd !== undefined) return `tools.${index}.${type}.${odd}: Extra inputs are not permitted`;
      continue;
    }
    const unknown = findUnknown(tool, TOOL_FIELDS);
    if (unknown !== undefined) return `tools.${index}.custom.${unknown}: Extra inputs are not permitted`;
    const schema = tool['input_schema'];
    if (!isObject(schema) || schema['type'] !== 'object') {
      return `tools.${index}.custom.input_schema.type: Field required`;
    }
  }
  return undefined;
}

function checkThinking(body: Json, maxTokens: number): string | undefined {
  const thinking = isObject(body['thinking']) ? body['thinking'] : {};
  const budget = thinking['budget_tokens'];
  if (thinking['type'] === 'enabled' && (typeof budget !== 'number' || budget < MIN_BUDGET)) {
    return `thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_BUDGET}`;
  }
  if (typeof budget === 'number' && budget >= maxTokens) {
    return '`max_tokens` must be greater than `thinking.budget_tokens`';
  }
  const choice = isObject(body['tool_choice']) ? body['tool_choice']['type'] : undefined;
  if (isThinking(body) && (choice === 'any' || choice === 'tool')) {
    return 'Thinking may not be enabled when tool_choice forces tool use.';
  }
  return isThinking(body) && typeof body['temperature'] === 'number' && body['temperature'] !== 1
    ? '`temperature` may only be set to 1 when thinking is enabled.'
    : undefined;
}

function checkTurns(turns: readonly Json[], thinks: boolean): string | undefined {
  let open: unknown[] = [];
  for (const [at, turn] of turns.entries()) {
    const blocks = listObjects(turn['content']);
    const problem = checkBlocks(blocks, at);
    if (problem !== undefined) return problem;
    const results = blocks.filter((block) => block['type'] === 'tool_result');
    const answered = results.map((block) => block['tool_use_id']);
    if (open.some((id) => !answered.includes(id))) {
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`;
    }
    if (answered.some((id) => !open.includes(id))) {
      return `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks`;
    }
    open = blocks.filter((block) => block['type'] === 'tool_use').map((block) => block['id']);
    const first = readText(blocks[0]?.['type']);
    const isLoop = at === turns.length - 2 && open.length > 0;
    if (thinks && isLoop && first !== 'thinking' && first !== 'redacted_thinking') {
      return `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`.`;
    }
  }
  return undefined;
}

function checkBlocks(blocks: readonly Json[], at: number): string | undefined {
  for (const [index, block] of blocks.entries()) {
    const place = `messages.${at}.content.${index}`;
    const type = readText(block['type']);
    const known = BLOCK_FIELDS[type];
    if (!known)
      return `${place}: Input tag '${type}' found using 'type' does not match any of the expected tags`;
    const unknown = findUnknown(block, known);
    if (unknown !== undefined) return `${place}.${type}.${unknown}: Extra inputs are not permitted`;
    if (type === 'text' && readText(block['text']) === '')
      return `${place}: text content blocks must be non-empty`;
    if (type === 'tool_use' && !CALL_ID.test(readText(block['id']))) {
      return `${place}.tool_use.id: String should match pattern '${CALL_ID.source}'`;
    }
    const isForged = type === 'thinking' && block['signature'] !== signMessage(readText(block['thinking']));
    if (isForged) return `${place}: Invalid \`signature\` in \`thinking\` block`;
  }
  return undefined;
}

export function signMessage(thought: string): string {
  return signReasoning('anthropic', thought);
}

function readSystem(system: unknown): ChatMessage[] {
  const content = typeof system === 'string' ? system : listObjects(system);
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

/** A turn's results of tools come first, each as a message of its own. */
function readTurn(turn: Json): ChatMessage[] {
  const role = readText(turn['role']);
  const { content } = turn;
  if (!Array.isArray(content)) return [{ role, content }];
  const blocks = listObjects(content);
  const results = blocks.filter((block) => block['type'] === 'tool_result');
  const parts = blocks.filter((block) => block['type'] !== 'tool_result').map(readPart);
  return [
    ...results.map((block) => ({ role: 'tool', content: joinTexts(block['content']) })),
    ...(parts.length > 0 ? [{ role, content: parts }] : []),
  ];
}

function readPart(block: Json): Json {
  return block['type'] === 'image' ? { type: 'image_url' } : { type: 'text', text: readText(block['text']) };
}

function joinTexts(content: unknown): string {
  if (typeof content === 'string') return content;
  return listObjects(content)
    .map((block) => readText(block['text']))
    .join('');
}

function readChoice(choice: unknown): unknown {
  if (!isObject(choice)) return undefined;
  if (choice['type'] === 'tool') return { function: { name: choice['name'] } };
  return choice['type'] === 'none' ? 'none' : undefined;
}
