import { isObject, type Json, listObjects, readText } from '../json.js';
import { type ChatMessage, type ChatRequest, readCount, readStop, type Refusal, refuse } from '../request.js';
import type { Arrival } from './dialect.js';
import { findUnknown, findUnknownIn, listWords } from './refuse-unknown.js';
import { signReasoning } from './sign-reasoning.js';

const PATH = /^\/v1(?:beta)?\/models\/(.+):(generateContent|streamGenerateContent)$/;
const FIELDS = listWords(
  'contents systemInstruction tools toolConfig generationConfig safetySettings cachedContent ' +
    'serviceTier labels store',
);
const CONFIG_FIELDS = listWords(
  'stopSequences responseMimeType responseSchema responseJsonSchema responseModalities ' +
    'candidateCount maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty ' +
    'responseLogprobs logprobs thinkingConfig mediaResolution speechConfig',
);
const PART_FIELDS = listWords(
  'text thought thoughtSignature inlineData fileData functionCall functionResponse mediaResolution ' +
    'videoMetadata executableCode codeExecutionResult',
);
const DECLARATION_FIELDS = [
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
  // Google's own SDK for Python writes these so, and either spelling of a name is read.
  'parameters_json_schema',
  'response_json_schema',
  'response',
  'behavior',
];
/** Keywords of JSON schema that Google knows; its own command line tool sends `$schema`. */
const SCHEMA_FIELDS = listWords(
  '$schema $id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems ' +
    'minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering',
);
/** Stands for a signature that was lost. */
const SENTINEL = 'skip_thought_signature_validator';

export function matchPath(path: string): { model: string; stream: boolean } {
  const [, model = '', method] = PATH.exec(path) ?? [];
  return { model: decodeURIComponent(model), stream: method === 'streamGenerateContent' };
}

/** Reads a body as Google does: unknown names, unsigned calls and unanswered calls are refused. */
export function readGenerateRequest({ path, body }: Arrival): ChatRequest | Refusal {
  if (!isObject(body)) return refuse('Invalid JSON payload received. Unexpected end of string.');
  const { model, stream } = matchPath(path);
  const contents = listObjects(body['contents']);
  const config = isObject(body['generationConfig']) ? body['generationConfig'] : {};
  const declarations = listObjects(body['tools']).flatMap((tool) =>
    listObjects(tool['functionDeclarations']),
  );
  const unknown = findUnknownName(body, config, contents, declarations);
  if (unknown !== undefined) {
    return refuse(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`);
  }
  if (contents.length === 0) return refuse('* GenerateContentRequest.contents: contents is not specified');
  const problem = checkThinking(config) ?? checkTurns(contents, signsCalls(model));
  if (problem !== undefined) return refuse(problem);
  const system = isObject(body['systemInstruction']) ? [body['systemInstruction']] : [];
  return {
    model,
    messages: [...system.map((turn) => ({ ...turn, role: 'system' })), ...contents].flatMap(readTurn),
    stream,
    includeUsage: true,
    choices: readCount(config['candidateCount']) ?? 1,
    maxTokens: readCount(config['maxOutputTokens']),
    stop: readStop(config['stopSequences']),
    tools: declarations.map((declaration) => ({
      name: readText(declaration['name']),
      parameters: readJsonSchema(declaration) ?? declaration['parameters'],
    })),
    toolChoice: readChoice(body['toolConfig']),
    responseSchema: config['responseJsonSchema'] ?? config['responseSchema'],
    includesReasoning:
      isObject(config['thinkingConfig']) && config['thinkingConfig']['includeThoughts'] === true,
  };
}

/** Since its third generation Google signs the first call of a turn and wants the signature back. */
export function signsCalls(model: string): boolean {
  return model.startsWith('gemini-3');
}

export function signCall(name: string): string {
  return signReasoning('google', name);
}

function findUnknownName(
  body: Json,
  config: Json,
  contents: readonly Json[],
  declarations: readonly Json[],
): string | undefined {
  return (
    findUnknown(body, FIELDS) ??
    findUnknown(config, CONFIG_FIELDS) ??
    findUnknownIn(contents, ['role', 'parts'], (index) => `contents[${index}]`) ??
    contents
      .map((turn, at) =>
        findUnknownIn(listObjects(turn['parts']), PART_FIELDS, () => `contents[${at}].parts`),
      )
      .find((name) => name !== undefined) ??
    findUnknownIn(declarations, DECLARATION_FIELDS, (index) => `functionDeclarations[${index}]`) ??
    declarations.map((one) => findUnknownKeyword(readJsonSchema(one))).find((name) => name !== undefined)
  );
}

function readJsonSchema(declaration: Json): unknown {
  return declaration['parametersJsonSchema'] ?? declaration['parameters_json_schema'];
}

function findUnknownKeyword(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  const properties = isObject(schema['properties']) ? Object.values(schema['properties']) : [];
  const inner = [...properties, schema['items'], ...listObjects(schema['anyOf'])];
  return (
    findUnknown(schema, SCHEMA_FIELDS) ?? inner.map(findUnknownKeyword).find((name) => name !== undefined)
  );
}

function checkThinking(config: Json): string | undefined {
  const thinking = isObject(config['thinkingConfig']) ? config['thinkingConfig'] : {};
  return 'thinkingBudget' in thinking && 'thinkingLevel' in thinking
    ? 'You can only set one of thinking budget and thinking level.'
    : undefined;
}

function checkTurns(contents: readonly Json[], signed: boolean): string | undefined {
  let open = 0;
  for (const turn of contents) {
    if (turn['role'] !== 'user' && turn['role'] !== 'model') return 'Please use a valid role: user, model.';
    const parts = listObjects(turn['parts']);
    const responses = parts.filter((part) => isObject(part['functionResponse'])).length;
    if (responses !== open) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    }
    const calls = parts.filter((part) => isObject(part['functionCall']));
    open = calls.length;
    const [first] = calls;
    const problem = first && signed ? checkSignature(first) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkSignature(part: Json): string | undefined {
  const name = isObject(part['functionCall']) ? readText(part['functionCall']['name']) : '';
  const signature = part['thoughtSignature'];
  if (signature === undefined) {
    return `Function call is missing a thought_signature in functionCall parts. Function call \`default_api:${name}\`.`;
  }
  return signature === signCall(name) || signature === SENTINEL
    ? undefined
    : 'Thought signature is not valid.';
}

function readTurn(turn: Json): ChatMessage[] {
  const parts = listObjects(turn['parts']);
  const results = parts.map((part) => part['functionResponse']).filter(isObject);
  const rest = parts.filter((part) => !isObject(part['functionResponse'])).map(readPart);
  return [
    ...results.map((result) => ({ role: 'tool', content: readResult(result['response']) })),
    ...(rest.length > 0 ? [{ role: readText(turn['role']), content: rest }] : []),
  ];
}

function readPart(part: Json): Json {
  const isImage = isObject(part['inlineData']) || isObject(part['fileData']);
  return isImage ? { type: 'image_url' } : { type: 'text', text: readText(part['text']) };
}

function readResult(response: unknown): string {
  if (!isObject(response)) return '';
  const text = response['output'] ?? response['result'] ?? response['error'];
  return typeof text === 'string' ? text : JSON.stringify(response);
}

function readChoice(toolConfig: unknown): unknown {
  const calling = isObject(toolConfig) ? toolConfig['functionCallingConfig'] : undefined;
  if (!isObject(calling)) return undefined;
  const names: unknown[] = Array.isArray(calling['allowedFunctionNames'])
    ? calling['allowedFunctionNames']
    : [];
  if (calling['mode'] === 'NONE') return 'none';
  return names.length === 1 ? { function: { name: names[0] } } : undefined;
}
