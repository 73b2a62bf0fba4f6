import { omitUndefined } from '@mg/contract';
import { stringifyInSlices, writeSummaryRequest } from '@mg/protocols';
import type { OpeningCall } from '../../call/operation.js';
import { nextTurn } from '../../edge/loop-turns.js';
import { parseWritten } from '../../edge/read-json-body.js';
import { ChatRequest } from '../chat/chat-request.js';

/**
 * A chat that asks for a summary, in the place of a request that wants a conversation compacted. It is as long as that one may
 * be, and answered whole.
 *
 * @param items the conversation.
 */
export async function askForSummary(
  { envelope, headers }: ChatRequest,
  items: readonly unknown[],
  { lease }: Pick<OpeningCall, 'lease'>,
): Promise<ChatRequest> {
  const { maxTokens } = envelope;
  const parsed = {
    ...writeSummaryRequest(envelope.parsed, items),
    ...omitUndefined({ max_output_tokens: maxTokens }),
  };
  const written = await stringifyInSlices(parsed, nextTurn);
  lease.take(written.length);
  await parseWritten(written);
  return new ChatRequest('openai-responses', { ...envelope, stream: false, parsed }, written, headers);
}
