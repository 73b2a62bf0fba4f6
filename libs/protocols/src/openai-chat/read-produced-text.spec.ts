import { describe, expect, it } from 'vitest';
import { joinPieces } from '../canonical/text-pieces.js';
import { readEvents } from '../framing/read-events.js';
import { parseObject } from '../json.js';
import { readGoldens, readText } from '../testing/read-goldens.js';
import { listChatTexts, readPlainChunkText } from './read-produced-text.js';

const choice = (delta: string, index = 0) => `{"index":${index},"delta":${delta},"finish_reason":null}`;
const chunk = (...choices: string[]) => `{"id":"c1","choices":[${choices.join(',')}],"usage":null}`;
const hi = '{"content":"hi"}';

const CHUNKS = [
  chunk(choice(hi)),
  chunk(choice('{"role":"assistant","content":"日本 {}[]"}')),
  '{"choices": [{"index": 0, "delta": {"content": "spaced"}, "finish_reason": null}]}',
  chunk(choice(hi), choice('{"content":"there"}', 1)),
  chunk(choice('{"role":"assistant"}'), choice(hi, 1)),
  chunk(choice('{"content":"a\\"b"}')),
  chunk(choice('{"content":"x","reasoning_content":"y"}')),
  chunk(choice('{"reasoning":"y","content":"x"}')),
  chunk(choice('{"content":"x","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}')),
  chunk(choice('{"content":null,"function_call":{"name":"f","arguments":"{}"}}')),
  chunk(choice('{"content":null}')),
  JSON.stringify({ id: chunk(choice(hi)), choices: [{ delta: { content: chunk(choice(hi)) } }] }),
  JSON.stringify({ id: '\\' + chunk(choice(hi)), choices: [] }),
];
const recorded = readGoldens('stream.sse')
  .filter(({ codec }) => codec.name === 'openai-chat')
  .flatMap((golden) => [...readEvents(Buffer.from(readText(golden, 'stream.sse')))])
  .flatMap(({ data }) => data ?? []);

describe('readPlainChunkText', () => {
  it('reads the same text as the parsed chunk, or nothing', () => {
    let plain = 0;
    for (const data of [...CHUNKS, ...recorded]) {
      const text = readPlainChunkText(data);
      if (text === undefined) continue;
      plain++;
      expect(text).toBe(joinPieces(listChatTexts(parseObject(data) ?? {})));
    }
    expect(plain).toBeGreaterThan(recorded.length / 4);
  });

  it('reads the chunks of common providers', () => {
    expect(CHUNKS.slice(0, 3).map(readPlainChunkText)).toEqual(['hi', '日本 {}[]', 'spaced']);
  });
});
