import { describe, expect, it, vi } from 'vitest';
import { JsonScanner } from '../strict-json/json-scanner.js';
import { geminiLive } from './gemini-live/gemini-live.js';
import { openAiRealtime } from './openai-realtime.js';
import type { ClientEventContext } from './session-protocol.js';

/** The longest message of a client has a megabyte. */
const LONGEST = 1_000_000;
const MOST_PARSED = 256 * 1024;
const MOST_SCANNED = 64 * 1024;
const CONTEXT: ClientEventContext = {
  isOwnModel: () => true,
  upstreamModel: 'up',
  nameTranscriber: (model) => model,
  nameEvent: () => 'event_1',
};
const say = (text: string) =>
  `{"type":"conversation.item.create","item":{"type":"message","content":[{"type":"input_text","text":"${text}"}]}}`;
const sayLive = (text: string) =>
  `{"clientContent":{"turns":[{"role":"user","parts":[{"text":"${text}"}]}]}}`;

describe('M5: a long message of a client is scanned and parsed in steps', () => {
  it.each([
    ['quotes', openAiRealtime, say('\\"'.repeat(LONGEST / 2))],
    ['emoji', openAiRealtime, say('😀'.repeat(LONGEST / 4))],
    ['quotes', geminiLive, sayLive('\\"'.repeat(LONGEST / 2))],
    ['emoji', geminiLive, sayLive('😀'.repeat(LONGEST / 4))],
  ])('of %s', async (_, protocol, text) => {
    const expected = protocol.readClientEvent(Buffer.from(text), CONTEXT);
    const message = Buffer.from(text);
    const parsed = vi.spyOn(JSON, 'parse');
    const scanned = vi.spyOn(JsonScanner.prototype, 'push');
    let pauses = 0;
    await protocol.parseLongClientEvent(message, async () => void pauses++);
    const event = protocol.readClientEvent(message, CONTEXT);
    const longestParsed = Math.max(...parsed.mock.calls.map(([json]) => json.length));
    const longestScanned = Math.max(...scanned.mock.calls.map(([bytes]) => bytes.length));
    parsed.mockRestore();
    scanned.mockRestore();
    expect({ ...event, bytes: event.bytes.toString() }).toEqual({
      ...expected,
      bytes: expected.bytes.toString(),
    });
    expect(longestParsed).toBeLessThanOrEqual(MOST_PARSED);
    expect(longestScanned).toBeLessThanOrEqual(MOST_SCANNED);
    expect(pauses).toBeGreaterThan(LONGEST / MOST_SCANNED);
  });

  it.each([
    ['a name twice', `{"type":"${'x'.repeat(LONGEST)}","type":"x"}`, 'type is there twice'],
    ['no JSON', `{"type":"${'x'.repeat(LONGEST)}"`, 'not valid JSON'],
    ['no object', `["${'x'.repeat(LONGEST)}"]`, 'must be a JSON object'],
  ])('and is refused for what it holds: %s', async (_, text, problem) => {
    const parsing = openAiRealtime.parseLongClientEvent(Buffer.from(text), () => Promise.resolve());
    await expect(parsing).rejects.toThrow(problem);
  });

  it('whereas a piece of audio is not looked at before', async () => {
    const pause = vi.fn<() => Promise<void>>();
    const message = Buffer.from(`{"type":"input_audio_buffer.append","audio":"${'A'.repeat(9_600)}"}`);
    await openAiRealtime.parseLongClientEvent(message, pause);
    expect(pause).not.toHaveBeenCalled();
  });
});
