import { findChatProtocol } from '@mg/protocols';
import { relayStream, type StreamedCall } from '../call/relay-stream.js';
import { release, settle } from '../call/settle.js';
import type { Kit } from '../kit.js';
import type { ExchangeCall } from './exchange-call.js';
import { measureExchange } from './measure-exchange.js';
import type { ExchangeOutcome } from './read-answers.js';

/**
 * Relays an exchange's stream of events. A caller who leaves pays for what was asked, a stream that the upstream
 * breaks costs nothing.
 */
export async function relayExchange(
  outcome: Extract<ExchangeOutcome, { kind: 'stream' }>,
  call: ExchangeCall,
  kit: Kit,
): Promise<void> {
  const { record, hold, exchange } = call;
  const streamed: StreamedCall = {
    record,
    hold,
    client: call.client,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': record.requestId },
    renderError: (error) => findChatProtocol('openai-chat').renderErrorEvent(error, record.requestId, 'sse'),
    estimatePrompt: async () => (await measureExchange(exchange, hold, undefined, kit.counter)).usage,
    bill: (usage) => usage,
  };
  const { kind, reader } = await relayStream(outcome, streamed, kit);
  record.status = 200;
  record.reason = kind;
  if (kind === 'upstream_failed') {
    record.errorCode = 'upstream_error';
    release(hold, kit);
    return;
  }
  const { usage, estimated } = await measureExchange(exchange, hold, reader.usage, kit.counter);
  settle(record, hold, usage, estimated, kit);
}
