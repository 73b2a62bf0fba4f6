import { GatewayError } from '@mg/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClientConnection } from '../edge/client-connection.js';
import { CallRecord } from './call-record.js';
import { EarlyStream } from './early-stream.js';

const OPENING = {
  events: 'event: a\ndata: {}\n\n',
  failed: { type: 'response.failed', sequence_number: 1, response: { id: 'resp_1' } },
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream, and what its client was sent. */
function open(openEarly: () => typeof OPENING | undefined) {
  const sent: string[] = [];
  const take = (bytes: Buffer) => void sent.push(bytes.toString());
  const client = { openStream: () => sent.push('headers'), write: take, endStream: take };
  const record = new CallRecord('r', '/v1/responses', {} as CallRecord['caller']);
  const operation = { dialect: 'openai-responses' as const, openEarly };
  return { stream: new EarlyStream(operation, record, client as unknown as ClientConnection), sent, record };
}

it('an early stream begins after a moment, and is kept alive until its answer is there', () => {
  const { stream, sent } = open(() => OPENING);
  vi.advanceTimersByTime(500);
  expect([stream.hasBegun, sent]).toEqual([false, []]);
  vi.advanceTimersByTime(11_000);
  const comment = ': keep-alive\n\n';
  expect(sent).toEqual(['headers', OPENING.events, comment, comment]);
  stream.stop();
  stream.end(Buffer.from(`${OPENING.events}data: {"rest":1}\n\n`));
  vi.advanceTimersByTime(60_000);
  expect(sent.slice(4)).toEqual(['data: {"rest":1}\n\n']);
});

it('an early stream does not begin where its answer has to, or is there', () => {
  const { stream, sent } = open(() => undefined);
  vi.advanceTimersByTime(60_000);
  expect([stream.hasBegun, sent]).toEqual([false, []]);
  const answered = open(() => OPENING);
  answered.stream.stop();
  vi.advanceTimersByTime(60_000);
  expect(answered.sent).toEqual([]);
});

it('an early stream says in an event what went wrong', () => {
  const { stream, sent, record } = open(() => OPENING);
  vi.advanceTimersByTime(1_000);
  stream.fail(new GatewayError('upstream_error', 'It failed.'));
  stream.stop();
  const [, data = ''] = sent.at(-1)?.split('data: ') ?? [];
  expect(JSON.parse(data)).toMatchObject({
    ...OPENING.failed,
    response: { id: 'resp_1', error: { code: 'upstream_error', message: 'It failed.' } },
  });
  expect(record).toMatchObject({ status: 200, reason: 'upstream_failed', errorCode: 'upstream_error' });
});
