import { formatUsd, GatewayError } from '@mg/contract';
import type { ChatEnvelope } from '@mg/protocols';
import { type Attempt, type Plan, planAttempts } from '@mg/routing';
import type { CallRecord } from '../call/call-record.js';
import type { Fault } from '../call/classify-failure.js';
import { findModel } from '../call/find-model.js';
import { release, settle } from '../call/settle.js';
import { reserve } from '../call/reserve.js';
import type { ClientConnection } from '../http/client-connection.js';
import type { Kit } from '../kit.js';
import type { ChatCall, ChatRequest } from './chat-call.js';
import { estimatePrompt, estimateUsage, readPartialUsage } from './estimate-usage.js';
import { relayStream } from './relay-stream.js';
import { type SendOutcome, sendChat } from './send-chat.js';

/**
 * One chat completion, from an admitted caller to a settled bill:
 * open -> route -> reserve -> send to one channel after another -> relay -> settle.
 *
 * @throws GatewayError for everything that goes wrong before the first byte of an answer; the call then costs nothing.
 */
export async function answerChat(
  request: ChatRequest,
  record: CallRecord,
  client: ClientConnection,
  kit: Kit,
): Promise<void> {
  const { envelope } = request;
  record.model = envelope.model;
  record.stream = envelope.stream;
  const model = findModel(kit.catalog(), record.caller, envelope.model, 'chat');
  const plan = route(envelope.model, kit);
  const hold = await reserve(record, model, sizeOf(envelope), kit);
  const chat: ChatCall = { record, request, hold, client };
  try {
    const answer = await tryChannels(plan, chat, kit);
    if (answer.kind === 'answer') await sendAnswer(answer, chat, kit);
    else if (answer.kind === 'stream') await streamAnswer(answer, chat, kit);
    else await chargePrompt(chat, kit);
  } catch (error) {
    release(hold, kit);
    throw error;
  }
}

function route(slug: string, kit: Kit): Plan {
  const channels = kit.catalog().channelsBySlug.get(slug) ?? [];
  if (channels.length === 0) {
    throw new GatewayError('upstream_unavailable', `No channel serves the model "${slug}" at the moment.`);
  }
  const plan = planAttempts({ slug, channels, health: kit.health, random: Math.random });
  if (plan.attempts.length > 0) return plan;
  const restMs = Math.max(0, (plan.restingUntilMs ?? 0) - performance.now());
  throw new GatewayError('upstream_unavailable', 'Every channel of this model is resting after failures.', {
    retryAfter: Math.max(1, Math.ceil(restMs / 1_000)),
  });
}

function sizeOf(envelope: ChatEnvelope) {
  return { promptTokens: envelope.promptBound, maxTokens: envelope.maxTokens, choices: envelope.choices };
}

type Answer = Exclude<SendOutcome, { kind: 'fault' }>;

/** The log's status for a client that left before its answer began. */
const CLIENT_CLOSED_REQUEST = 499;

/** Tries channels in the plan's order until one answers or the caller is at fault. */
async function tryChannels(plan: Plan, chat: ChatCall, kit: Kit): Promise<Answer> {
  let last: Fault | undefined;
  for (const attempt of plan.attempts) {
    const startedMs = performance.now();
    const outcome = await sendChat(attempt, chat, kit);
    noteAttempt(attempt, outcome, performance.now() - startedMs, chat.record, kit);
    if (outcome.kind !== 'fault') return outcome;
    last = outcome.fault;
    if (!last.mayGoOn) break;
  }
  throw last?.error ?? new GatewayError('upstream_unavailable', 'No channel could be tried.');
}

function noteAttempt(attempt: Attempt, outcome: SendOutcome, ms: number, record: CallRecord, kit: Kit): void {
  const { channel } = attempt;
  const fault = outcome.kind === 'fault' ? outcome.fault : undefined;
  const label = fault ? 'failed' : outcome.kind === 'abandoned' ? 'aborted' : 'served';
  record.channel = channel.name;
  record.attempts.push({
    channel: channel.name,
    outcome: label,
    status: label === 'served' ? 200 : (fault?.status ?? null),
    latency_ms: Math.round(ms),
    reason: explainAttempt(attempt, outcome),
  });
  kit.metrics.countAttempt(channel.name, label);
  if (label === 'served') kit.health.recordSuccess(channel.id, record.model);
  else if (fault?.kind) kit.health.recordFailure(channel.id, record.model, fault.kind, fault.retryAfterMs);
}

function explainAttempt(attempt: Attempt, outcome: SendOutcome): string {
  if (outcome.kind === 'fault') return `${attempt.reason}; ${outcome.fault.reason}`;
  const dropped = outcome.kind === 'abandoned' ? undefined : outcome.lane.dropped;
  return dropped ? `${attempt.reason}; dropped ${dropped.toString()}` : attempt.reason;
}

/** The client left before anything came, but the upstream had the prompt by then and bills it. */
async function chargePrompt(chat: ChatCall, kit: Kit): Promise<void> {
  chat.record.status = CLIENT_CLOSED_REQUEST;
  chat.record.reason = 'client_aborted';
  kit.metrics.clientAborts.inc();
  settle(chat.record, chat.hold, await estimatePrompt(chat.request), true, kit);
}

async function sendAnswer(
  { answer, lane }: Extract<Answer, { kind: 'answer' }>,
  chat: ChatCall,
  kit: Kit,
): Promise<void> {
  const { record, hold, client } = chat;
  const usage = answer.usage ?? (await estimateUsage(chat.request, answer.producedText));
  settle(record, hold, usage, answer.usage === undefined, kit);
  record.status = 200;
  record.reason = 'completed';
  client.send(
    {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': record.requestId,
      'x-gateway-cost': formatUsd(record.cost),
      'x-gateway-latency-ms': String(record.elapsedMs()),
      ...(lane.dropped ? { 'x-gateway-dropped': lane.dropped.toString() } : {}),
    },
    answer.bytes,
  );
}

/** Relays a stream; a caller who leaves pays for what was produced, a stream that the upstream breaks costs nothing. */
async function streamAnswer(
  answer: Extract<Answer, { kind: 'stream' }>,
  chat: ChatCall,
  kit: Kit,
): Promise<void> {
  const { record, hold } = chat;
  const { kind, reader } = await relayStream(answer, chat, kit);
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
      : await readPartialUsage(chat.request, reader.usage, reader.readText());
  settle(record, hold, usage, estimated, kit);
}
