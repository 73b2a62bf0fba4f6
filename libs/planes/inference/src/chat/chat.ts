import { formatUsd, type Usage } from '@mg/contract';
import { outputTokensWithin } from '@mg/pricing';
import type { CallRecord } from '../call/call-record.js';
import { findModel } from '../call/find-model.js';
import { planCall } from '../call/plan-call.js';
import { relayStream, type StreamedCall } from '../call/relay-stream.js';
import { release, settle } from '../call/settle.js';
import { type ChatHold, reserve } from '../call/reserve.js';
import { tryChannels } from '../call/try-channels.js';
import type { ClientConnection } from '../http/client-connection.js';
import { nameRequest } from '../http/find-dialect.js';
import type { Kit } from '../kit.js';
import type { ChatCall, HeldChat } from './chat-call.js';
import { estimatePrompt, estimateUsage, readPartialUsage } from './estimate-usage.js';
import { billUsage } from './bill-usage.js';
import { type SendOutcome, sendChat } from './send-chat.js';
import { sizeChat } from './size-chat.js';

/**
 * One chat completion, from an admitted caller to a settled bill:
 * open -> route -> reserve -> send to one channel after another -> relay -> settle.
 *
 * @throws GatewayError for everything that goes wrong before the first byte of an answer; the call then costs nothing.
 */
export async function answerChat(
  request: HeldChat,
  record: CallRecord,
  client: ClientConnection,
  kit: Kit,
): Promise<void> {
  const { envelope } = request;
  record.model = envelope.model;
  record.stream = envelope.stream;
  const model = findModel(kit.catalog(), record.caller, envelope.model, 'chat');
  const plan = planCall(envelope.model, kit);
  const hold = await reserve(record, model, sizeChat(request, model, plan), kit);
  const chat: ChatCall = { record, request, hold, client };
  try {
    const answer = await tryChannels(plan, record, kit, (attempt) => sendChat(attempt, chat, kit));
    if (answer.kind === 'answer') await sendAnswer(answer, chat, kit);
    else if (answer.kind === 'stream') await streamAnswer(answer, chat, kit);
    else await chargePrompt(chat, kit);
  } catch (error) {
    release(hold, kit);
    throw error;
  }
}

/** The log's status for a client that left before its answer began. */
const CLIENT_CLOSED_REQUEST = 499;

/** The client left before anything came, but the upstream had the prompt by then and bills it. */
async function chargePrompt(chat: ChatCall, kit: Kit): Promise<void> {
  chat.record.status = CLIENT_CLOSED_REQUEST;
  chat.record.reason = 'client_aborted';
  kit.metrics.clientAborts.inc();
  const usage = boundByHold(await estimatePrompt(chat.request, kit.counter), chat.hold);
  settle(chat.record, chat.hold, usage, true, kit);
}

async function sendAnswer(
  { answer, lane }: Extract<SendOutcome, { kind: 'answer' }>,
  chat: ChatCall,
  kit: Kit,
): Promise<void> {
  const { record, hold, client } = chat;
  const usage =
    answer.usage ?? boundByHold(await estimateUsage(chat.request, answer.producedText, kit.counter), hold);
  settle(record, hold, billUsage(usage, hold, lane), answer.usage === undefined, kit);
  record.status = 200;
  record.reason = 'completed';
  client.send(
    {
      'content-type': 'application/json; charset=utf-8',
      ...nameRequest(chat.request.protocol.name, record.requestId),
      'x-gateway-cost': formatUsd(record.cost),
      'x-gateway-latency-ms': String(record.elapsedMs()),
      ...(lane.dropped ? { 'x-gateway-dropped': lane.dropped.toString() } : {}),
    },
    answer.bytes,
  );
}

/** What was not told but estimated costs no more than was held for the call. */
function boundByHold(usage: Usage, { granted, price, promptTokens }: ChatHold): Usage {
  const inputTokens = Math.min(usage.inputTokens, promptTokens);
  const most = outputTokensWithin(granted, { promptTokens: inputTokens }, price.price) ?? usage.outputTokens;
  return { ...usage, inputTokens, outputTokens: Math.min(usage.outputTokens, most) };
}

/** Relays a stream; a caller who leaves pays for what was produced, a stream that the upstream breaks costs nothing. */
async function streamAnswer(
  answer: Extract<SendOutcome, { kind: 'stream' }>,
  chat: ChatCall,
  kit: Kit,
): Promise<void> {
  const { record, hold } = chat;
  const { protocol, framing } = chat.request;
  const streamed: StreamedCall = {
    record,
    hold,
    client: chat.client,
    headers: {
      ...nameRequest(protocol.name, record.requestId),
      'content-type':
        framing === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
    },
    renderError: (error) => protocol.renderErrorEvent(error, record.requestId, framing),
    estimatePrompt: async () => boundByHold(await estimatePrompt(chat.request, kit.counter), hold),
    bill: (usage) => billUsage(usage, hold, answer.lane),
  };
  const { kind, reader } = await relayStream(answer, streamed, kit);
  record.status = 200;
  record.reason = kind;
  if (kind === 'upstream_failed') {
    record.errorCode = 'upstream_error';
    release(hold, kit);
    return;
  }
  const { usage, estimated } =
    kind === 'completed' && reader.usage
      ? { usage: reader.usage, estimated: false }
      : await readPartialUsage(chat.request, reader.usage, reader.readText(), kit.counter);
  const billed = estimated ? boundByHold(usage, hold) : usage;
  settle(record, hold, billUsage(billed, hold, answer.lane), estimated, kit);
}
