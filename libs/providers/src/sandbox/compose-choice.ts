import { type ChatBody, countParts, textOf } from './chat-request.js';
import { READ_CHARACTERS } from './limits.js';
import { plausibleValue } from './plausible-value.js';
import { countTokens, cutToTokens } from './tokens.js';

export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

/** One choice of an answer. */
export interface Choice {
  /** Thoughts, where they were asked for; like a provider's, shorter than what was thought. */
  readonly reasoning: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

const REASONING_TOKENS: Readonly<Record<string, number>> = {
  minimal: 8,
  low: 32,
  medium: 128,
  high: 512,
  xhigh: 768,
  max: 1_024,
};

/** Longest quotation of the caller's words in an answer. */
const QUOTE_LENGTH = 160;
/** Tools that are looked for in the caller's words. */
const MAX_TOOLS = 128;

/** Decides what one choice of the answer says: tool calls where the turn wants them, JSON or text otherwise. */
export function composeChoice(body: ChatBody, index: number): Choice {
  const cap = body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY;
  const reasoningTokens = Math.min(REASONING_TOKENS[body.reasoning_effort ?? ''] ?? 0, cap);
  const tool = chooseTool(body);
  const reasoning = reasoningTokens === 0 ? '' : composeReasoning(body, tool);
  if (tool) {
    const call = { name: tool.name, arguments: JSON.stringify(plausibleValue(tool.parameters)) };
    const completionTokens = reasoningTokens + countTokens(call.name + call.arguments);
    return {
      reasoning,
      text: '',
      toolCalls: [call],
      finishReason: 'tool_calls',
      completionTokens,
      reasoningTokens,
    };
  }
  const whole = cutAtStop(composeText(body, index), body.stop);
  const text = cutToTokens(whole, cap - reasoningTokens);
  return {
    reasoning,
    text,
    toolCalls: [],
    finishReason: text.length < whole.length ? 'length' : 'stop',
    completionTokens: reasoningTokens + countTokens(text),
    reasoningTokens,
  };
}

interface Tool {
  readonly name: string;
  readonly parameters?: unknown;
}

/** The tool that this turn calls: the forced one, else the one whose name the caller's words mention, else the first. */
function chooseTool(body: ChatBody): Tool | undefined {
  const last = body.messages.at(-1);
  if (body.tool_choice === 'none' || !last || last.role === 'tool' || last.role === 'function')
    return undefined;
  const allowed = namesOf(body.tool_choice);
  const tools = (body.tools ?? [])
    .map((tool) => tool.function)
    .filter((tool) => tool !== undefined)
    .filter((tool) => !allowed || allowed.has(tool.name))
    .slice(0, MAX_TOOLS);
  const words = textOf(last).slice(0, READ_CHARACTERS).toLowerCase();
  const mentioned = tools.find((tool) =>
    tool.name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .some((part) => part.length > 3 && words.includes(part)),
  );
  return mentioned ?? tools[0];
}

/** Names that a choice of tools is limited to, `undefined` for all. */
function namesOf(choice: ChatBody['tool_choice']): ReadonlySet<string> | undefined {
  if (typeof choice !== 'object' || choice === null) return undefined;
  const named = choice.allowed_tools?.tools ?? [choice];
  return new Set(named.map((tool) => tool.function?.name ?? ''));
}

function composeReasoning(body: ChatBody, tool: Tool | undefined): string {
  const start = 'These thoughts are simulated. Let me see what is wanted here.';
  if (tool) return `${start} The tool ${tool.name} can find that out, so I call it first.`;
  const hasResult = trailingToolResults(body).length > 0;
  return hasResult
    ? `${start} The tool has answered; I pass on what it said.`
    : `${start} No tool is needed: a short answer will do.`;
}

function composeText(body: ChatBody, index: number): string {
  const format = body.response_format;
  if (format?.type === 'json_schema') return JSON.stringify(plausibleValue(format.json_schema?.schema));
  if (format?.type === 'json_object')
    return '{"simulated":true,"answer":"This JSON comes from the sandbox."}';
  const results = trailingToolResults(body);
  if (results.length > 0) {
    const said = results.join(' | ').slice(0, READ_CHARACTERS);
    return `Simulated answer from the sandbox. The tool returned: ${said}. That answers the question.`;
  }
  return [
    'Simulated answer from the sandbox: no model was called.',
    (body.n ?? 1) > 1 ? `This is choice ${index + 1} of ${body.n}.` : '',
    describeMedia(body),
    quoteQuestion(body),
    'A real channel would think about it here; this one only shows how an answer arrives, word by word, and what it costs.',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describeMedia(body: ChatBody): string {
  const images = countParts(body, 'image_url');
  return images === 0 ? '' : `I received ${images} image${images === 1 ? '' : 's'}.`;
}

function quoteQuestion(body: ChatBody): string {
  const question = body.messages.findLast((message) => message.role === 'user');
  const words = question ? textOf(question) : '';
  if (words === '') return '';
  return `You wrote: "${cutToTokens(words, QUOTE_LENGTH / 4)}${words.length > QUOTE_LENGTH ? '…' : ''}".`;
}

function trailingToolResults(body: ChatBody): string[] {
  const end = body.messages.findLastIndex((message) => message.role !== 'tool');
  return body.messages.slice(end + 1).map(textOf);
}

function cutAtStop(text: string, stop: ChatBody['stop']): string {
  const stops = typeof stop === 'string' ? [stop] : (stop ?? []);
  const cuts = stops.filter((word) => word !== '').map((word) => text.indexOf(word));
  const first = Math.min(...cuts.filter((at) => at >= 0));
  return Number.isFinite(first) ? text.slice(0, first) : text;
}
