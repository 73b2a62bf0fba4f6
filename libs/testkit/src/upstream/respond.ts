import type { ServerResponse } from 'node:http';
import { type Answer, type Choice, composeAnswer, countChoiceTokens, joinPieces } from './answer.js';
import type { Behaviour, Failure } from './behaviour.js';
import { errorBody } from './failures.js';
import type { CallRecord, Meter } from './meter.js';
import { type ChatRequest, isRefusal, readChatRequest } from './request.js';
import { composeEvents, countReasoning, type StreamIdentity } from './stream.js';
import { reportUsage } from './usage.js';
import { EventWire } from './wire.js';

/** One call with everything that answering it takes. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly call: CallRecord;
  readonly meter: Meter;
  readonly behaviour: Behaviour;
}

const JSON_TYPE = 'application/json';

/** Answers a chat completion: in full, as a stream, or by failing as the behaviour says. */
export async function answerChat(exchange: Exchange): Promise<void> {
  const { behaviour, call, response } = exchange;
  await behaviour.wait?.();
  const { failure } = behaviour;
  if (failure?.kind === 'reply') return sendReply(exchange, failure);
  const request = readChatRequest(call.body);
  if (isRefusal(request)) {
    const body = errorBody(request.message, 'invalid_request_error', request.code, request.param);
    return sendReply(exchange, { kind: 'reply', status: 400, body });
  }
  if (failure && failure.afterEvents === undefined) return breakOff(exchange, failure);
  const answer = composeAnswer(request, behaviour.answer);
  if (response.destroyed) return;
  await (request.stream ? sendStream(exchange, request, answer) : sendWhole(exchange, answer));
}

function sendReply(exchange: Exchange, reply: Extract<Failure, { kind: 'reply' }>): void {
  const { body } = reply;
  writeHead(exchange, reply.status, reply.contentType ?? JSON_TYPE, reply.headers);
  exchange.response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function sendStream(exchange: Exchange, request: ChatRequest, answer: Answer): Promise<void> {
  const { behaviour, call, meter, response } = exchange;
  const style = behaviour.stream ?? {};
  const wire = new EventWire(response, style);
  writeHead(exchange, 200, 'text/event-stream; charset=utf-8', { 'cache-control': 'no-cache' });
  response.flushHeaders();
  let sent = 0;
  for (const event of composeEvents(answer, request, behaviour, identify(call), call)) {
    if (behaviour.failure && behaviour.failure.kind !== 'reply' && behaviour.failure.afterEvents === sent) {
      return breakOff(exchange, behaviour.failure, wire);
    }
    if (sent === 0) chargePrompt(exchange, answer);
    meter.update(call, {
      completionTokens: call.completionTokens + event.tokens,
      reasoningTokens: call.reasoningTokens + event.reasoningTokens,
      producedText: call.producedText + event.text,
    });
    await wire.writeEvent(event.json);
    if (!wire.isOpen) return;
    sent += 1;
  }
  if (style.done !== false) await wire.writeEvent('[DONE]');
  response.end();
}

function sendWhole(exchange: Exchange, answer: Answer): Promise<void> | void {
  const { behaviour, call, meter, response } = exchange;
  chargePrompt(exchange, answer);
  const reasoningTokens = countReasoning(answer);
  const visibleTokens = answer.choices.reduce((sum, choice) => sum + countChoiceTokens(choice), 0);
  const hiddenTokens = answer.hiddenReasoningTokens * answer.choices.length;
  meter.update(call, {
    completionTokens: visibleTokens + hiddenTokens,
    reasoningTokens,
    producedText: answer.choices.map((choice) => joinPieces(choice.text)).join(''),
  });
  const body = Buffer.from(
    JSON.stringify({
      ...identify(call),
      object: 'chat.completion',
      choices: answer.choices.map((choice, index) => describeChoice(choice, index, answer)),
      ...(behaviour.usage?.placement === 'never' ? {} : { usage: reportUsage(call, behaviour.usage) }),
      service_tier: 'default',
      system_fingerprint: 'fp_fake0001',
    }),
  );
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
  const { call, meter, response } = exchange;
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
    case 'error-event':
      await wire?.writeEvent(JSON.stringify(failure.body));
      response.end();
  }
}

function chargePrompt(exchange: Exchange, answer: Answer): void {
  exchange.meter.update(exchange.call, {
    promptTokens: answer.promptTokens,
    cachedTokens: answer.cachedTokens,
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

function identify(call: CallRecord): StreamIdentity {
  return {
    id: call.id.replace('req_', 'chatcmpl-'),
    created: Math.floor(call.startedAt / 1_000),
    model: call.model,
  };
}

function describeChoice(choice: Choice, index: number, answer: Answer): unknown {
  const hasCalls = choice.toolCalls.length > 0;
  return {
    index,
    message: {
      role: 'assistant',
      content: hasCalls ? null : joinPieces(choice.text),
      ...(choice.reasoning.length > 0 ? { [answer.reasoningField]: joinPieces(choice.reasoning) } : {}),
      ...(hasCalls
        ? {
            tool_calls: choice.toolCalls.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: joinPieces(call.fragments) },
            })),
          }
        : {}),
      refusal: null,
      annotations: [],
    },
    logprobs: null,
    finish_reason: choice.finishReason,
  };
}
