import type { ServerResponse } from 'node:http';
import type { Behaviour } from '../behaviour.js';
import type { Json } from '../json.js';
import type { CallRecord, Meter } from '../meter.js';
import type { ExchangeAnswer } from './texts.js';

interface AskedOnce {
  readonly response: ServerResponse;
  readonly call: CallRecord;
  readonly meter: Meter;
  readonly body: Json;
  answer(body: Json): ExchangeAnswer;
}

/** Answers what is asked once, or fails as the model's behaviour says. */
export async function answerExchange(
  { response, call, meter, body, answer }: AskedOnce,
  takeBehaviour: (model: string) => Behaviour,
): Promise<void> {
  const behaviour = takeBehaviour(call.model);
  await behaviour.wait?.();
  const { failure } = behaviour;
  const breaks = failure !== undefined && failure.kind !== 'reply';
  if (breaks && failure.afterEvents === undefined) {
    if (failure.kind !== 'hang') response.destroy();
    return;
  }
  const reply: ExchangeAnswer =
    failure?.kind === 'reply' ? { status: failure.status, body: failure.body, billed: {} } : answer(body);
  meter.update(call, { status: reply.status, ...reply.billed });
  const contentType = reply.contentType ?? 'application/json';
  const headers = failure?.kind === 'reply' ? failure.headers : {};
  response.writeHead(reply.status, { 'content-type': contentType, ...headers });
  const text = reply.text ?? JSON.stringify(reply.body);
  const half = Math.ceil(text.length / 2);
  response.write(text.slice(0, half));
  await behaviour.waitMidway?.();
  if (breaks) response.destroy();
  else response.end(text.slice(half));
}
