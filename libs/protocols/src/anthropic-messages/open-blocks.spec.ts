import { describe, expect, it } from 'vitest';
import { EventOrderChecker } from '../canonical/check-events.js';
import type { CanonicalEvent } from '../canonical/events.js';
import { createStreamDecoder } from './decode-stream.js';

function decode(...events: readonly Record<string, unknown>[]): CanonicalEvent[] {
  const decoder = createStreamDecoder();
  const checker = new EventOrderChecker();
  const text = events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`);
  const decoded = [...decoder.push(Buffer.from(text.join(''))), ...decoder.end()];
  for (const event of decoded) checker.check(event);
  return decoded;
}

const start = { type: 'message_start', message: { id: 'msg_1', model: 'm', usage: { input_tokens: 1 } } };
const END = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];
const open = (index: number, id: string) => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', id, name: 'f', input: {} },
});
const json = (index: number, text: string) => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: text },
});
const stop = (index: number) => ({ type: 'content_block_stop', index });

/** Arguments of each call, by its id. */
function readCalls(events: readonly CanonicalEvent[]): Record<string, string> {
  const calls: Record<string, string> = {};
  let id = '';
  for (const event of events) {
    if (event.type === 'block-start' && event.block.type === 'tool-call') calls[(id = event.block.id)] = '';
    if (event.type === 'block-delta' && event.delta.type === 'arguments') calls[id] += event.delta.json;
  }
  return calls;
}

describe('blocks of a Messages stream that are open at once', () => {
  it('keep the arguments of two calls apart', () => {
    const events = decode(
      start,
      open(0, 'a'),
      open(1, 'b'),
      json(0, '{"x":'),
      json(1, '{"y":'),
      json(0, '1}'),
      json(1, '2}'),
      stop(1),
      stop(0),
      ...END,
    );
    expect(readCalls(events)).toEqual({ a: '{"x":1}', b: '{"y":2}' });
    expect(events.at(-1)).toEqual({ type: 'reply-end' });
  });

  it('are closed by the end where the server does not', () => {
    const events = decode(start, open(0, 'a'), open(1, 'b'), json(1, '{"y":2}'), ...END);
    expect(readCalls(events)).toEqual({ a: '{}', b: '{"y":2}' });
  });

  it('are found by their order where the server gives no index', () => {
    const { index: _open, ...opened } = open(0, 'a');
    const { index: _json, ...argued } = json(0, '{"x":1}');
    const events = decode(start, opened, argued, { type: 'content_block_stop' }, ...END);
    expect(readCalls(events)).toEqual({ a: '{"x":1}' });
  });
});
