import type { ServerResponse } from 'node:http';
import { type Answer, composeAnswer, countChoiceTokens, countReasoning, joinPieces } from './answer.js';
import type { Behaviour, Failure } from './behaviour.js';
import type { Arrival, Counting, Dialect, ErrorFacts, AnswerContext } from './dialects/dialect.js';
import { errorBody, readErrorBody } from './failures.js';
import type { CallRecord, Meter } from './meter.js';
import { countPromptTokens, isRefusal } from './request.js';
import { EventWire } from './wire.js';

/** One call with everything that answering it takes. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly call: CallRecord;
  readonly meter: Meter;
  readonly behaviour: Behaviour;
  readonly dialect: Dialect;
  readonly arrival: Arrival;
  /** Present when the prompt is to be counted rather than answered. */
  readonly counting?: Counting | undefined;
  /** Keeps the answer, given whole, for later requests. */
  readonly keep?: ((answer: unknown) => void) | undefined;
}

const JSON_TYPE = 'application/json';
/** Added to every count, so that no tokenizer comes to it by itself. */
const COUNT_SURPLUS = 1_000;
const UNKNOWN_ERROR: ErrorFacts = { message: 'Unknown error', type: 'server_error', code: null, param: null };

/** Answers a chat in its dialect: in full, as a stream, or by failing as the behaviour says. */
export async function answerChat(exchange: Exchange): Promise<void> {
  const { behaviour, dialect, call, response } = exchange;
  await behaviour.wait?.();
  const { failure } = behaviour;
  if (failure?.kind === 'reply') return sendReply(exchange, failure);
  const request = dialect.readRequest(exchange.arrival);
  if (isRefusal(request)) {
    const body = errorBody(request.message, 'invalid_request_error', request.code, request.param);
    return sendReply(exchange, { kind: 'reply', status: dialect.refusalStatus ?? 400, body });
  }
  if (failure && failure.afterEvents === undefined) return breakOff(exchange, failure);
  if (exchange.counting) {
    const body = exchange.counting.describe(countPromptTokens(request) + COUNT_SURPLUS);
    return sendReply(exchange, { kind: 'reply', status: 200, body });
  }
  const answer = composeAnswer(request, behaviour.answer);
  if (response.destroyed) return;
  const context: AnswerContext = { answer, request, behaviour, identity: identify(call), billed: call };
  await (request.stream ? sendStream(exchange, context) : sendWhole(exchange, context));
}

function sendReply(exchange: Exchange, reply: Extract<Failure, { kind: 'reply' }>): void {
  const facts = readErrorBody(reply.body);
  const body = facts ? exchange.dialect.describeError(reply.status, facts) : reply.body;
  writeHead(exchange, reply.status, reply.contentType ?? JSON_TYPE, reply.headers);
  exchange.response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function sendStream(exchange: Exchange, context: AnswerContext): Promise<void> {
  const { behaviour, dialect, call, meter, response } = exchange;
  const style = { ...dialect.style, ...behaviour.stream };
  const wire = new EventWire(response, style);
  const contentType = style.frames
    ? 'application/vnd.amazon.eventstream'
    : 'text/event-stream; charset=utf-8';
  writeHead(exchange, 200, contentType, { 'cache-control': 'no-cache' });
  response.flushHeaders();
  exchange.keep?.(dialect.describeAnswer(context));
  let sent = 0;
  for (const event of dialect.composeEvents(context)) {
    if (behaviour.failure && behaviour.failure.kind !== 'reply' && behaviour.failure.afterEvents === sent) {
      return breakOff(exchange, behaviour.failure, wire);
    }
    if (sent === 0) chargePrompt(exchange, context.answer);
    meter.update(call, {
      completionTokens: call.completionTokens + event.tokens,
      reasoningTokens: call.reasoningTokens + event.reasoningTokens,
      producedText: call.producedText + event.text,
    });
    await wire.writeEvent(event.json, event.name);
    if (!wire.isOpen) return;
    sent += 1;
  }
  if (style.done !== false) await wire.writeEvent('[DONE]');
  response.end();
}

function sendWhole(exchange: Exchange, context: AnswerContext): Promise<void> | void {
  const { behaviour, dialect, call, meter, response } = exchange;
  const { answer } = context;
  chargePrompt(exchange, answer);
  const reasoningTokens = countReasoning(answer);
  const visibleTokens = answer.choices.reduce((sum, choice) => sum + countChoiceTokens(choice), 0);
  const hiddenTokens = answer.hiddenReasoningTokens * answer.choices.length;
  meter.update(call, {
    completionTokens: visibleTokens + hiddenTokens,
    reasoningTokens,
    producedText: answer.choices.map((choice) => joinPieces(choice.text)).join(''),
  });
  const whole = dialect.describeAnswer(context);
  exchange.keep?.(whole);
  const body = Buffer.from(JSON.stringify(whole));
  writeHead(exchange, 200, JSON_TYPE, { 'content-length': String(body.length) });
  if (behaviour.failure && behaviour.failure.kind !== 'reply') {
    response.write(body.subarray(0, body.length / 2));
    return breakOff(exchange, behaviour.failure);
  }
  response.end(body);
}

async function breakOff(
  exchange: Exchange,
  failure: Exclude<Failure, { kind: 'reply' }>,
  wire?: EventWire,
): Promise<void> {
  const { call, dialect, meter, response } = exchange;
  switch (failure.kind) {
    case 'hang':
      return;
    case 'reset':
      meter.update(call, { finished: true });
      response.socket?.resetAndDestroy();
      return;
    case 'end':
      response.end();
      return;
    case 'error-event': {
      const { name, body } = dialect.describeErrorEvent(readErrorBody(failure.body) ?? UNKNOWN_ERROR);
      await wire?.writeEvent(JSON.stringify(body), name);
      response.end();
    }
  }
}

function chargePrompt(exchange: Exchange, answer: Answer): void {
  exchange.meter.update(exchange.call, {
    promptTokens: answer.promptTokens,
    cachedTokens: answer.cachedTokens,
    cacheWriteTokens: answer.cacheWriteTokens,
    cacheWrite1hTokens: answer.cacheWrite1hTokens,
  });
}

/** Headers as OpenAI's edge sends them, with some that no proxy should pass on. */
function writeHead(
  { response, call, meter }: Exchange,
  status: number,
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  meter.update(call, { status });
  response.writeHead(status, {
    'content-type': contentType,
    'x-request-id': call.id,
    'openai-organization': 'org-of-the-operator',
    'openai-processing-ms': '12',
    'openai-version': '2020-10-01',
    'set-cookie': '__cf_bm=fake-cookie; path=/; HttpOnly',
    server: 'cloudflare',
    ...headers,
  });
}

function identify(call: CallRecord): AnswerContext['identity'] {
  return { id: call.id.replace('req_', ''), created: Math.floor(call.startedAt / 1_000), model: call.model };
}
