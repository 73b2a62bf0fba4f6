import { GatewayError } from '@mg/contract';
import { findChatProtocol, type JsonObject } from '@mg/protocols';
import { callLocally } from '@mg/transport';
import { expect, it } from 'vitest';
import type { PeekedStream } from './peek-stream.js';
import { classifyErrorEvent, readFault, readOpening, shortenFault } from './read-fault.js';

const LONG = 'y'.repeat(1_000_000);
const details = Array.from({ length: 19_000 }, (_, at) => ({ a: at, b: [LONG] }));
const output = Array.from({ length: 3_500 }, () => ({
  type: 'message',
  content: [{ text: 'y'.repeat(500) }],
}));

it.each([
  ['an error', { type: 'error', error: { details, message: `m${LONG}`, type: 'rate_limit_error' } }],
  ['a response', { type: 'response.failed', response: { output, error: { message: LONG, details } } }],
  ['members', { error: Object.fromEntries(details.map((held, at) => [`k${at}`, held])) }],
])('of %s that failed no more is read than readers of errors look at', (_, event) => {
  expect(JSON.stringify(shortenFault(event)).length).toBeLessThan(2_000_000);
});

it('what an error event says is read off what is left of it', () => {
  const event = {
    type: 'error',
    error: { details: [{ a: 1 }], message: 'Slow down', type: 'rate_limit_error' },
  };
  expect(shortenFault(event)).toEqual(event);
  const failed = {
    type: 'response.failed',
    response: { output, error: { code: 'server_error', message: 'm' } },
  };
  expect(classifyErrorEvent(shortenFault(failed))).toEqual(classifyErrorEvent(failed));
});

it('a failed response is given without what is long in it', () => {
  const error = new GatewayError('upstream_error', 'It failed.');
  const render = (response: object) =>
    findChatProtocol('openai-responses').renderFailure?.({ type: 'response.failed', response }, error, 'r') ??
    '';
  expect(render({ id: 'x', output: [{ type: 'message' }] })).toContain('"output":[{"type":"message"}]');
  const long = render({ id: 'x', output, instructions: LONG });
  expect(long).toContain('"output":[]');
  expect(long).toContain('"id":"x"');
  expect(long.length).toBeLessThan(10_000);
});

it.each([
  [
    'members',
    Object.fromEntries(
      details.slice(0, 2_000).map((held, at) => [`k${at}`, { ...held, b: 'y'.repeat(4_000) }]),
    ),
  ],
  ['a text within a list', { tools: [{ description: LONG }] }],
  ['thousands of levels', { deep: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown }],
])('nor with more in all than is written in one step: %s', (_, long) => {
  const error = new GatewayError('upstream_error', 'It failed.');
  const event = { type: 'response.failed', ...long, response: { id: 'x', ...long } };
  const written = findChatProtocol('openai-responses').renderFailure?.(event, error, 'r') ?? '';
  expect(written).toContain('"id":"x"');
  expect(written.length).toBeLessThan(600_000);
});

it('an error of thousands of levels is read', async () => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const parseUpstreamError = findChatProtocol('anthropic-messages').parseUpstreamError;
  const facts = `"type":"invalid_request_error","message":"Too long","details":{"a":${deep}}`;
  const opening = Promise.resolve({ kind: 'error', event: JSON.parse(`{"error":{${facts}}}`) as JsonObject });
  const opened = await readOpening({ opening } as unknown as PeekedStream, { parseUpstreamError });
  expect(opened?.error.message).toBe('Too long');
  const body = Buffer.from(`{"type":"error","error":{${facts}}}`);
  const reply = callLocally(() => ({ status: 400, headers: {}, chunks: [body] as never })).reply;
  const answered = await readFault(await reply, { parseUpstreamError });
  expect(answered.error.message).toBe('Too long');
});
