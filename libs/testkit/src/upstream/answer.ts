import { type ChatRequest, countImages, countPromptTokens } from './request.js';
import { sampleOf } from './sample.js';
import { writeWishedFile } from './write-file.js';
import { type Piece, splitIntoPieces, writeText } from './tokens.js';

/** What the upstream says, where a test wants something else than the ordinary. */
export interface AnswerShape {
  /** Length of the text in tokens. */
  readonly tokens?: number;
  /** Exact text, instead of a passage. */
  readonly text?: string;
  /** Reasoning before the text, in the field that a look-alike uses. */
  readonly reasoning?: { readonly field: 'reasoning_content' | 'reasoning'; readonly tokens: number };
  /** Reasoning that is billed and not shown, as OpenAI's own models have it. */
  readonly hiddenReasoningTokens?: number;
  /** How much of the prompt counts as read from the cache. */
  readonly cachedTokens?: number;
  /** How much of the prompt counts as written to the cache. */
  readonly cacheWriteTokens?: number;
  /** How much of that is kept for an hour. */
  readonly cacheWrite1hTokens?: number;
  /** How many tool calls one turn makes. */
  readonly toolCalls?: number;
  /** Writes the file that the user asks for, as a coding agent's model. */
  readonly writesFile?: boolean;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly fragments: readonly Piece[];
}

export interface Choice {
  readonly reasoning: readonly Piece[];
  readonly text: readonly Piece[];
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
}

/** An answer before it takes a form on the wire. */
export interface Answer {
  readonly choices: readonly Choice[];
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly hiddenReasoningTokens: number;
  readonly reasoningField: 'reasoning_content' | 'reasoning';
}

const DEFAULT_TOKENS = 24;
/** Of a tool's result that is said again. */
const MAX_SAID_CHARACTERS = 64 * 1024;
const FEW_REASONING_TOKENS = 2;

/** Decides what to say: tool calls if the turn wants them, JSON if a schema is given, otherwise text. */
export function composeAnswer(request: ChatRequest, shape: AnswerShape = {}): Answer {
  const promptTokens = countPromptTokens(request);
  const cachedTokens = Math.min(shape.cachedTokens ?? 0, promptTokens);
  const cacheWriteTokens = Math.min(shape.cacheWriteTokens ?? 0, promptTokens - cachedTokens);
  return {
    choices: Array.from({ length: request.choices }, () => composeChoice(request, shape)),
    promptTokens,
    cachedTokens,
    cacheWriteTokens,
    cacheWrite1hTokens: Math.min(shape.cacheWrite1hTokens ?? 0, cacheWriteTokens),
    hiddenReasoningTokens: shape.hiddenReasoningTokens ?? 0,
    reasoningField: shape.reasoning?.field ?? 'reasoning_content',
  };
}

/** Tokens of a choice, visible ones only. */
export function countChoiceTokens(choice: Choice): number {
  return sumTokens([
    ...choice.reasoning,
    ...choice.text,
    ...choice.toolCalls.flatMap((call) => call.fragments),
  ]);
}

/** Tokens that thinking took, shown and hidden. */
export function countReasoning(answer: Answer): number {
  return answer.choices.reduce(
    (sum, choice) => sum + sumTokens(choice.reasoning) + answer.hiddenReasoningTokens,
    0,
  );
}

export function sumTokens(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.tokens, 0);
}

export function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text).join('');
}

function composeChoice(request: ChatRequest, shape: AnswerShape): Choice {
  const wanted = shape.reasoning?.tokens ?? (request.reasonsByDefault ? FEW_REASONING_TOKENS : 0);
  const reasoning = request.includesReasoning === false ? [] : writeText(wanted);
  // Agents ask questions about their task, too, with a schema for the answer.
  const asksForFile = shape.writesFile === true && request.responseSchema === undefined;
  const file = asksForFile ? writeWishedFile(request) : undefined;
  if (file && 'text' in file) {
    return { reasoning, text: splitIntoPieces(file.text), toolCalls: [], finishReason: 'stop' };
  }
  if (file) {
    const fragments = splitIntoPieces(JSON.stringify(file.input));
    const call = { id: `call_fake${request.messages.length}`, name: file.tool, fragments };
    return { reasoning, text: [], toolCalls: [call], finishReason: 'tool_calls' };
  }
  if (!shape.writesFile && wantsTool(request)) {
    return { reasoning, text: [], toolCalls: composeCalls(request, shape), finishReason: 'tool_calls' };
  }
  const room = (request.maxTokens ?? Number.POSITIVE_INFINITY) - sumTokens(reasoning);
  const whole = cutAtStop(composeText(request, shape), request.stop);
  const text = cutAtTokens(whole, room);
  return { reasoning, text, toolCalls: [], finishReason: text.length < whole.length ? 'length' : 'stop' };
}

function wantsTool(request: ChatRequest): boolean {
  return (
    request.tools.length > 0 && request.toolChoice !== 'none' && request.messages.at(-1)?.role !== 'tool'
  );
}

function composeCalls(request: ChatRequest, shape: AnswerShape): ToolCall[] {
  const forced = (request.toolChoice as { function?: { name?: string } } | undefined)?.function?.name;
  const chosen = request.tools.filter((tool) => tool.name === forced);
  const tools = chosen.length > 0 ? chosen : request.tools;
  return Array.from({ length: shape.toolCalls ?? 1 }, (_, index) => {
    const tool = tools[index % tools.length];
    return {
      id: `call_fake${request.messages.length}_${index}`,
      name: tool?.name ?? '',
      fragments: splitIntoPieces(JSON.stringify(sampleOf(tool?.parameters))),
    };
  });
}

function composeText(request: ChatRequest, shape: AnswerShape): readonly Piece[] {
  if (shape.text !== undefined) return splitIntoPieces(shape.text);
  if (request.responseSchema !== undefined) {
    return splitIntoPieces(JSON.stringify(sampleOf(request.responseSchema)));
  }
  const last = request.messages.at(-1);
  if (last?.role === 'tool') {
    const said = String(last.content).slice(0, MAX_SAID_CHARACTERS).toWellFormed();
    return splitIntoPieces(`The tool said: ${said}`);
  }
  const images = countImages(request);
  if (images > 0) return splitIntoPieces(`I see ${images} image${images === 1 ? '' : 's'}.`);
  return writeText(shape.tokens ?? DEFAULT_TOKENS);
}

function cutAtStop(pieces: readonly Piece[], stops: readonly string[]): readonly Piece[] {
  const text = joinPieces(pieces);
  const cuts = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return cuts.length === 0 ? pieces : splitIntoPieces(text.slice(0, Math.min(...cuts)));
}

function cutAtTokens(pieces: readonly Piece[], room: number): readonly Piece[] {
  let tokens = 0;
  const end = pieces.findIndex((piece) => (tokens += piece.tokens) > room);
  return end < 0 ? pieces : pieces.slice(0, end);
}
