import { isBlank, trimEndOf } from '../canonical/blank-text.js';
import { arrangeToolResults } from '../canonical/arrange-tool-results.js';
import { moveImages } from '../canonical/move-images.js';
import type { TextBlock, Turn } from '../canonical/blocks.js';
import { limitLeading } from '../canonical/limit-items.js';
import { refuseContent, refuseEmpty } from '../canonical/refuse.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { JsonObject } from '../json.js';
import type { Steps } from '../canonical/steps.js';
import { CallIds } from '../canonical/call-ids.js';
import { type BlockContext, encodeBlocks, isPlainText } from './encode-blocks.js';
import type { AnthropicMessagesContext } from './traits.js';

interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: JsonObject[];
}

export interface EncodedTurns {
  readonly system: readonly JsonObject[];
  readonly messages: readonly JsonObject[];
  /** Whether the conversation is inside a loop of calls whose reasoning was lost: the model may not think in it. */
  readonly reasoningMissing: boolean;
}

/** What a conversation begins with that has to begin with the user. */
const OPENING: JsonObject = { type: 'text', text: 'Continue.' };

/**
 * Writes the conversation: system turns at the start apart from the others, turns of one role after another as one,
 * results of tools before anything else the user says.
 *
 * @throws GatewayError
 */
export function* encodeTurns(
  request: CanonicalRequest,
  context: AnthropicMessagesContext,
): Steps<EncodedTurns> {
  const blockContext: BlockContext = { ...context, callIds: new CallIds() };
  const turns = yield* arrangeToolResults(moveImages(request.turns));
  const firstOther = turns.findIndex((turn) => turn.role !== 'system');
  const leading = firstOther < 0 ? turns.length : firstOther;
  limitLeading(turns.slice(0, leading), context);
  const system = turns.slice(0, leading).flatMap((turn) => encodeBlocks(turn.blocks, 'user', blockContext));
  const messages: Message[] = [];
  for (const turn of turns.slice(leading)) {
    yield;
    appendTurn(messages, turn, blockContext);
  }
  if (messages.length === 0) {
    if (system.length === 0) refuseEmpty(context);
    const only = simplify({ role: 'user', content: system });
    return { system: [], messages: [only], reasoningMissing: false };
  }
  if (messages[0]?.role === 'assistant') messages.unshift({ role: 'user', content: [OPENING] });
  endInUser(messages, request, context);
  return { system, messages: messages.map(simplify), reasoningMissing: isReasoningMissing(messages) };
}

function appendTurn(messages: Message[], turn: Turn, context: BlockContext): void {
  const wrapped =
    turn.role === 'system' && context.traits.supportsLaterSystemTurns !== true ? remind(turn) : turn;
  const content = encodeBlocks(wrapped.blocks, wrapped.role === 'assistant' ? 'assistant' : 'user', context);
  if (content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === wrapped.role) last.content.push(...content);
  else messages.push({ role: wrapped.role, content });
}

/** A system turn in mid-conversation keeps its place, in a form that models know as the operator's. */
function remind(turn: Turn): Turn {
  const blocks = turn.blocks.map((block) =>
    block.type === 'text' && !isBlank(block.text)
      ? ({ ...block, text: `<system-reminder>\n${block.text}\n</system-reminder>` } satisfies TextBlock)
      : block,
  );
  return { ...turn, role: 'user', blocks };
}

/** An answer that the caller began may not end in blank space, and not every model continues one. */
function endInUser(
  messages: Message[],
  { turns }: CanonicalRequest,
  context: AnthropicMessagesContext,
): void {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return;
  if (context.traits.supportsPrefill === false) {
    refuseContent(
      turns.at(-1) ?? turns,
      'its model does not continue an answer: the last turn must be of the user',
      context,
    );
  }
  const block = last.content.at(-1);
  if (block?.type === 'text' && typeof block.text === 'string') {
    last.content[last.content.length - 1] = { ...block, text: trimEndOf(block.text) };
  }
}

/** A model that thinks wants its reasoning back with the calls it led to. */
function isReasoningMissing(messages: readonly Message[]): boolean {
  if (messages.at(-1)?.content[0]?.type !== 'tool_result') return false;
  const type = messages.at(-2)?.content[0]?.type;
  return type !== 'thinking' && type !== 'redacted_thinking';
}

function simplify(message: Message): JsonObject {
  const [only, ...others] = message.content;
  const plain = others.length === 0 && isPlainText(only);
  return { role: message.role, content: plain ? only?.text : message.content };
}
