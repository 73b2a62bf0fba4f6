import { isObject, type Json, listObjects } from '@mg/testkit';
import { CHAT_PRICE, CONTEXT, costOfTokens, costOfUnits } from './prices.js';

/** What a provider bills for a chat when it reads the request at the highest price that its documentation lets it. */
export interface MaximumUsage {
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly webSearches: number;
  readonly fileSearches: number;
  readonly codeSessions: number;
  readonly tier: string | undefined;
}

/** Tokens, or uses of a tool, where the request sets no limit. */
const UNLIMITED = 1_000_000;
const UNLIMITED_USES = 1_000;
/** Thoughts of Qwen, which its cap does not count. */
const LONGEST_THOUGHTS = 81_920;
/** Anthropic pauses after so many rounds of its tools. */
const ANTHROPIC_ROUNDS = 10;
/** Queries of one search, and prompts of one call of code, at Google. */
const GOOGLE_QUERIES = 20;
const GOOGLE_CODE_ROUNDS = 5;

const RUN_BY_CALLER = new Set(['function', 'custom', 'functionDeclarations']);

export type ChatDialect = 'chat' | 'completions' | 'responses' | 'messages' | 'gemini';

/** @param prompt tokens that the first prompt has; every round of a tool fills the context. */
export function readMaximumCost(body: Json, prompt: number, dialect: ChatDialect): MaximumUsage {
  const config = isObject(body['generationConfig']) ? body['generationConfig'] : {};
  const compactions = countCompactions(body['context_management']);
  const { rounds, ...fees } = readTools(body, dialect);
  const answers = countAnswers(body, config) + compactions;
  return {
    promptTokens: prompt + (rounds + compactions) * CONTEXT,
    outputTokens: findCap({ ...body, ...config }) * answers + countPrediction(body['prediction']),
    ...fees,
    tier: typeof body['service_tier'] === 'string' ? body['service_tier'] : undefined,
  };
}

/** What a reading costs, in nano-dollars; Anthropic bills the whole prompt as written to its cache for an hour. */
export function costOfReading(reading: MaximumUsage, writesCache: boolean): bigint {
  const rates = reading.tier === 'priority' ? CHAT_PRICE.tiers.priority : CHAT_PRICE;
  const input = writesCache ? rates.cache_write_1h_per_million : rates.input_per_million;
  return (
    costOfTokens(reading.promptTokens, input) +
    costOfTokens(reading.outputTokens, rates.output_per_million) +
    costOfUnits(reading.webSearches, CHAT_PRICE.per_web_search) +
    costOfUnits(reading.fileSearches, CHAT_PRICE.per_file_search) +
    costOfUnits(reading.codeSessions, CHAT_PRICE.per_code_session)
  );
}

/** The largest of all caps, for a provider may read either. */
function findCap(body: Json): number {
  const names = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens'];
  const caps = names.map((name) => body[name]).filter((value) => typeof value === 'number');
  const thoughts = body['enable_thinking'] === true ? Number(body['thinking_budget'] ?? LONGEST_THOUGHTS) : 0;
  return (caps.length === 0 ? UNLIMITED : Math.max(...caps)) + thoughts;
}

function countAnswers(body: Json, config: Json): number {
  const { prompt } = body;
  const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
  const wanted = [body['n'], body['best_of'], config['candidateCount']].map((value) => Number(value ?? 1));
  return prompts * Math.max(...wanted);
}

/** Tokens of a prediction that the model says nothing of: at most one for each of its bytes. */
export function countPrediction(prediction: unknown): number {
  return isObject(prediction) ? Buffer.byteLength(JSON.stringify(prediction['content'])) : 0;
}

function countCompactions(management: unknown): number {
  return isObject(management) ? listObjects(management['edits']).length : listObjects(management).length;
}

type ToolReading = Pick<MaximumUsage, 'webSearches' | 'fileSearches' | 'codeSessions'> & {
  readonly rounds: number;
};

const NO_TOOL: ToolReading = { webSearches: 0, fileSearches: 0, codeSessions: 0, rounds: 0 };

/** OpenAI limits the calls of all tools together, Anthropic each tool's and the rounds of all. */
function readTools(body: Json, dialect: ChatDialect): ToolReading {
  const together = Number(body['max_tool_calls'] ?? UNLIMITED_USES);
  const read = listObjects(body['tools']).map((tool) => {
    const name = typeof tool['type'] === 'string' ? tool['type'] : (Object.keys(tool)[0] ?? '');
    return readTool(name, Number(tool['max_uses'] ?? together));
  });
  const sum = (name: keyof ToolReading) => read.reduce((total, one) => total + one[name], 0);
  const webSearches = Math.min(sum('webSearches'), dialect === 'responses' ? together : Infinity);
  return {
    webSearches,
    fileSearches: Math.min(sum('fileSearches'), Math.max(0, together - webSearches)),
    codeSessions: sum('codeSessions'),
    rounds: Math.min(sum('rounds'), dialect === 'messages' ? ANTHROPIC_ROUNDS : together),
  };
}

function readTool(name: string, uses: number): ToolReading {
  if (RUN_BY_CALLER.has(name)) return NO_TOOL;
  if (name === 'googleSearch') return { ...NO_TOOL, webSearches: GOOGLE_QUERIES, rounds: 1 };
  if (name === 'urlContext') return { ...NO_TOOL, rounds: 1 };
  if (name === 'codeExecution') return { ...NO_TOOL, rounds: GOOGLE_CODE_ROUNDS };
  if (name === 'code_interpreter') return { ...NO_TOOL, codeSessions: 1, rounds: uses };
  if (name.startsWith('code_execution')) return { ...NO_TOOL, codeSessions: 1, rounds: uses };
  if (name === 'file_search') return { ...NO_TOOL, fileSearches: uses, rounds: uses };
  if (name.startsWith('web_search')) return { ...NO_TOOL, webSearches: uses, rounds: uses };
  return { ...NO_TOOL, rounds: uses };
}
