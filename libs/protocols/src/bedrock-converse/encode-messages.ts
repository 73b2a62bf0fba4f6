import { isBlank, trimEndOf } from '../canonical/blank-text.js';
import { arrangeToolResults } from '../canonical/arrange-tool-results.js';
import { moveImages } from '../canonical/move-images.js';
import type { TextBlock, Turn } from '../canonical/blocks.js';
import { limitLeading } from '../canonical/limit-items.js';
import { CallIds } from '../canonical/call-ids.js';
import { refuseContent, refuseEmpty } from '../canonical/refuse.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { Steps } from '../canonical/steps.js';
import type { JsonObject } from '../json.js';
import { type ContentContext, encodeContent } from './encode-content.js';
import { DocumentNames } from './encode-media.js';
import type { BedrockConverseContext } from './traits.js';

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: JsonObject[];
}

export interface EncodedMessages {
  readonly system: readonly JsonObject[];
  readonly messages: readonly Message[];
}

const MAX_ID_LENGTH = 64;
/** What a conversation begins with that has to begin with the user. */
const OPENING: JsonObject = { text: 'Continue.' };
/** Goes along with documents that come without text: the provider wants some. */
const BESIDE_DOCUMENTS: JsonObject = { text: 'See the attached document.' };

/**
 * Writes the conversation: system turns at the start apart from the others, then user and assistant by turns, results of
 * tools before anything else the user says.
 *
 * @throws GatewayError
 */
export function* encodeMessages(
  request: CanonicalRequest,
  context: BedrockConverseContext,
): Steps<EncodedMessages> {
  const contentContext: ContentContext = {
    ...context,
    callIds: new CallIds(MAX_ID_LENGTH),
    documentNames: new DocumentNames(),
  };
  const turns = yield* arrangeToolResults(moveImages(request.turns));
  const firstOther = turns.findIndex((turn) => turn.role !== 'system');
  const leading = firstOther < 0 ? turns.length : firstOther;
  limitLeading(turns.slice(0, leading), context);
  const system = turns.slice(0, leading).flatMap((turn) => encodeSystem(turn, contentContext));
  const messages: Message[] = [];
  for (const turn of turns.slice(leading)) {
    yield;
    appendTurn(messages, turn, contentContext);
  }
  if (messages.length === 0) {
    if (system.length === 0) refuseEmpty(context);
    return { system: [], messages: [{ role: 'user', content: system }] };
  }
  if (messages[0]?.role === 'assistant') messages.unshift({ role: 'user', content: [OPENING] });
  for (const message of messages) addTextToDocuments(message);
  endInUser(messages, request, context);
  return { system, messages };
}

function encodeSystem(turn: Turn, context: ContentContext): JsonObject[] {
  for (const block of turn.blocks) {
    if (block.type === 'media') refuseContent(block.source, 'its system prompt is text alone', context);
  }
  return encodeContent(turn.blocks, 'user', context);
}

function appendTurn(messages: Message[], turn: Turn, context: ContentContext): void {
  const role = turn.role === 'assistant' ? 'assistant' : 'user';
  const content = encodeContent(turn.role === 'system' ? remind(turn) : turn.blocks, role, context);
  if (content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === role) last.content.push(...content);
  else messages.push({ role, content });
}

/** A system turn in mid-conversation keeps its place, in a form that models know as the operator's. */
function remind(turn: Turn): Turn['blocks'] {
  return turn.blocks.map((block) =>
    block.type === 'text' && !isBlank(block.text)
      ? ({ ...block, text: `<system-reminder>\n${block.text}\n</system-reminder>` } satisfies TextBlock)
      : block,
  );
}

function addTextToDocuments({ content }: Message): void {
  const hasDocument = content.some((block) => block.document !== undefined);
  if (hasDocument && content.every((block) => block.text === undefined)) content.push(BESIDE_DOCUMENTS);
}

/** An answer that the caller began may not end in blank space, and not every model continues one. */
function endInUser(messages: Message[], { turns }: CanonicalRequest, context: BedrockConverseContext): void {
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
  if (typeof block?.text === 'string')
    last.content[last.content.length - 1] = { text: trimEndOf(block.text) };
}
