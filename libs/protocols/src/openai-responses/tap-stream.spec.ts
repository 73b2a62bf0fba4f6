import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listOffsets } from '../testing/read-stream.js';
import { ResponsesStreamTap } from './tap-stream.js';

const read = (concept: string) => readFileSync(new URL(`__golden__/${concept}/stream.sse`, import.meta.url));

function run(stream: Buffer, cut: number) {
  const tap = new ResponsesStreamTap();
  const out = [tap.push(stream.subarray(0, cut)), tap.push(stream.subarray(cut)), tap.end()];
  return { tap, text: Buffer.concat(out).toString() };
}

describe('ResponsesStreamTap', () => {
  it('forwards every byte, cut anywhere, and reads usage and text along', () => {
    const stream = read('stream-calls');
    for (const cut of listOffsets(stream, 200)) {
      const { tap, text } = run(stream, cut);
      expect(text).toBe(stream.toString());
      expect(tap.usage).toMatchObject({ inputTokens: 9, outputTokens: 5 });
      expect(tap.ended).toBe(true);
      expect(tap.readText()).toBe('Looking.get_weather{"city":"Paris"}now');
    }
  });

  it('tells whether the provider may have run a tool, which a function of the caller is not', () => {
    const own = read('stream-calls');
    expect(run(own, own.length).tap.hasRunTool).toBe(false);
    const item = { type: 'web_search_call', id: 'ws_1', status: 'in_progress' };
    const added = { type: 'response.output_item.added', output_index: 0, item };
    const search = Buffer.from(`event: ${added.type}\ndata: ${JSON.stringify(added)}\n\n`);
    for (const cut of [0, 60, search.length]) expect(run(search, cut).tap.hasRunTool).toBe(true);
    const tap = new ResponsesStreamTap();
    tap.push(Buffer.from('data: {"type":"response.output_text.delta","delta":"\\"web_search_call\\""}\n\n'));
    expect(tap.hasRunTool).toBe(false);
  });

  it('notices failures, and a stream that stops short', () => {
    expect(run(read('stream-error'), 9).tap.fault).toMatchObject({ type: 'error' });
    expect(run(read('stream-failed'), 9).tap.fault).toMatchObject({ type: 'response.failed' });
    expect(run(read('stream-truncated'), 9).tap.ended).toBe(false);
  });
});
