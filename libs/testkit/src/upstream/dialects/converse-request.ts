import { isObject, type Json, listObjects, readText } from '../json.js';
import {
  type ChatMessage,
  type ChatRequest,
  readCount,
  readStop,
  readPromptSchema,
  type Refusal,
  refuse,
} from '../request.js';
import { matchBedrockPath } from './bedrock.js';
import type { Arrival } from './dialect.js';
import { findUnknown, listWords } from './refuse-unknown.js';
import { signReasoning } from './sign-reasoning.js';

const FIELDS = listWords(
  'messages system inferenceConfig toolConfig outputConfig additionalModelRequestFields ' +
    'additionalModelResponseFieldPaths guardrailConfig performanceConfig promptVariables requestMetadata serviceTier',
);
const INFERENCE_FIELDS = listWords('maxTokens temperature topP stopSequences');
const BLOCKS = listWords(
  'text image document video audio toolUse toolResult reasoningContent cachePoint guardContent citationsContent',
);
const CALL_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** Reads a body as Bedrock does: what it does not know, and turns out of order, are refused. */
export function readConverseRequest({ path, body }: Arrival): ChatRequest | Refusal {
  if (!isObject(body)) return refuse('The request body is not valid JSON.');
  const inference = isObject(body['inferenceConfig']) ? body['inferenceConfig'] : {};
  const unknown = findUnknown(body, FIELDS) ?? findUnknown(inference, INFERENCE_FIELDS);
  if (unknown !== undefined)
    return refuse(`The field ${unknown} is not recognised. Remove it and try again.`);
  const config = isObject(body['toolConfig']) ? body['toolConfig'] : {};
  const turns = listObjects(body['messages']);
  const problem = checkTurns(turns, body['toolConfig'] !== undefined);
  if (problem !== undefined) return refuse(problem);
  return {
    ...matchBedrockPath(path),
    messages: [...readSystem(body['system']), ...turns.flatMap(readTurn)],
    includeUsage: true,
    choices: 1,
    maxTokens: readCount(inference['maxTokens']),
    stop: readStop(inference['stopSequences']),
    tools: listObjects(config['tools']).map(readTool),
    toolChoice: readChoice(config['toolChoice']),
    responseSchema:
      readSchema(body['outputConfig']) ??
      readPromptSchema(listObjects(body['system']).map((block) => block['text'])),
    includesReasoning: isThinking(body['additionalModelRequestFields']),
  };
}

export function signConverse(thought: string): string {
  return signReasoning('converse', thought);
}

function isThinking(fields: unknown): boolean {
  const config = isObject(fields) ? fields['reasoningConfig'] : undefined;
  return isObject(config) && config['type'] === 'enabled';
}

function checkTurns(turns: readonly Json[], hasTools: boolean): string | undefined {
  let open: unknown[] = [];
  for (const [at, turn] of turns.entries()) {
    if (turn['role'] !== (at % 2 === 0 ? 'user' : 'assistant')) {
      return 'A conversation must alternate between user and assistant roles and start with a user message.';
    }
    const blocks = listObjects(turn['content']);
    const problem = blocks.length === 0 ? 'The content field is empty.' : checkBlocks(blocks, hasTools);
    if (problem !== undefined) return `${problem} (messages.${at})`;
    const answered = listMembers(blocks, 'toolResult').map((result) => result['toolUseId']);
    if (open.some((id) => !answered.includes(id)) || answered.some((id) => !open.includes(id))) {
      return `Expected toolResult blocks at messages.${at}.content for the toolUse blocks of the turn before.`;
    }
    open = listMembers(blocks, 'toolUse').map((call) => call['toolUseId']);
  }
  return turns.length === 0 ? 'The messages field is empty.' : undefined;
}

function checkBlocks(blocks: readonly Json[], hasTools: boolean): string | undefined {
  for (const block of blocks) {
    const unknown = findUnknown(block, BLOCKS);
    if (unknown !== undefined) return `The content block ${unknown} is not recognised.`;
    if (readText(block['text']).trim() === '' && 'text' in block) return 'The text field is blank.';
    const call = block['toolUse'] ?? block['toolResult'];
    if (isObject(call)) {
      if (!hasTools)
        return 'The toolConfig field must be defined when using toolUse and toolResult content blocks.';
      if (!CALL_ID.test(readText(call['toolUseId']))) return 'The toolUseId is not valid.';
    }
    const thought = isObject(block['reasoningContent'])
      ? block['reasoningContent']['reasoningText']
      : undefined;
    if (isObject(thought) && thought['signature'] !== signConverse(readText(thought['text']))) {
      return 'The signature of the reasoningContent is invalid.';
    }
  }
  return undefined;
}

function listMembers(blocks: readonly Json[], name: string): Json[] {
  return blocks.map((block) => block[name]).filter(isObject);
}

function readSystem(system: unknown): ChatMessage[] {
  const content = listObjects(system).map((block) => ({ type: 'text', text: readText(block['text']) }));
  return content.length === 0 ? [] : [{ role: 'system', content }];
}

/** A turn's results of tools come first, each as a message of its own. */
function readTurn(turn: Json): ChatMessage[] {
  const blocks = listObjects(turn['content']);
  const results = listMembers(blocks, 'toolResult');
  const parts = blocks
    .filter((block) => block['text'] !== undefined || block['image'] !== undefined)
    .map(readPart);
  return [
    ...results.map((result) => ({ role: 'tool', content: joinTexts(result['content']) })),
    ...(parts.length > 0 ? [{ role: readText(turn['role']), content: parts }] : []),
  ];
}

function readPart(block: Json): Json {
  return block['image'] === undefined
    ? { type: 'text', text: readText(block['text']) }
    : { type: 'image_url' };
}

function joinTexts(content: unknown): string {
  return listObjects(content)
    .map((block) => readText(block['text']))
    .join('');
}

function readTool(tool: Json): ChatRequest['tools'][number] {
  const spec = isObject(tool['toolSpec']) ? tool['toolSpec'] : {};
  const schema = isObject(spec['inputSchema']) ? spec['inputSchema'] : {};
  return { name: readText(spec['name']), parameters: schema['json'] };
}

function readChoice(choice: unknown): unknown {
  const tool = isObject(choice) ? choice['tool'] : undefined;
  return isObject(tool) ? { function: { name: tool['name'] } } : undefined;
}

function readSchema(output: unknown): unknown {
  const format = isObject(output) && isObject(output['textFormat']) ? output['textFormat'] : {};
  const structure = isObject(format['structure']) ? format['structure'] : {};
  const asked = isObject(structure['jsonSchema']) ? structure['jsonSchema'] : {};
  return typeof asked['schema'] === 'string' ? (JSON.parse(asked['schema']) as unknown) : undefined;
}
