import { NO_USAGE, type Usage } from '@mg/contract';
import type { TextPieces } from '@mg/protocols';
import type { TokenCounter } from '../../call/token-counter.js';
import type { BilledUsage } from '../../call/operation.js';
import type { ChatRequest } from './chat-request.js';

/** Tokens that frame each turn of a chat and the answer. */
const TOKENS_PER_TURN = 3;
/** Members that hold the turns of a conversation, in one protocol or another. */
const TURNS = ['messages', 'contents', 'input', 'prompt'] as const;

/** Usage of a call whose upstream did not report it, as a tokenizer counts its prompt and what it produced. */
async function estimateUsage(
  request: ChatRequest,
  produced: string | TextPieces,
  counter: TokenCounter,
): Promise<Usage> {
  const [prompt, outputTokens] = await Promise.all([
    estimatePrompt(request, counter),
    counter.countPieces(produced),
  ]);
  return { ...prompt, outputTokens };
}

/** Counts of two tokenizers for one text stay within this factor. */
const TOKENIZERS_DIFFER_BY = 1.5;

/**
 * Usage of a stream that the client left. Some upstreams report as they go, others report the prompt first and the output
 * only at the end: a report that falls far behind the text is of that kind, and the text is counted instead.
 *
 * @param reported usage that the upstream had reported by then.
 */
export async function readPartialUsage(
  request: ChatRequest,
  reported: Usage | undefined,
  produced: string | TextPieces,
  counter: TokenCounter,
): Promise<BilledUsage> {
  if (!reported) return { usage: await estimateUsage(request, produced, counter), estimated: true };
  const outputTokens = await counter.countPieces(produced);
  return outputTokens <= reported.outputTokens * TOKENIZERS_DIFFER_BY
    ? { usage: reported, estimated: false }
    : { usage: { ...reported, outputTokens }, estimated: true };
}

/** The prompt's share of an estimate: no more tokens than the body has bytes. */
export async function estimatePrompt(
  { protocol, envelope, body }: ChatRequest,
  counter: TokenCounter,
): Promise<Usage> {
  const turns = TURNS.map((name) => envelope.parsed[name]).find((value) => Array.isArray(value));
  const framing = TOKENS_PER_TURN * ((turns?.length ?? 1) + 1);
  const counted = await counter.countAll(protocol.listPromptTexts(envelope.parsed));
  return { ...NO_USAGE, inputTokens: Math.min(counted + framing, body.length) };
}
