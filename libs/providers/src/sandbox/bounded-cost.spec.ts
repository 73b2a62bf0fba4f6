import { allowMs, readThreadMs } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import type { LocalAnswer } from '../descriptor.js';
import { answerChat } from './answer-chat.js';
import { audioExchanges } from './answer-audio.js';
import { imageExchanges } from './answer-images.js';
import { textExchanges } from './answer-texts.js';
import { drawImage } from './draw-image.js';

/** What one step may cost on a free machine; generous. */
const STEP_MS = 250;

const messages = [{ role: 'user', content: 'hi' }];
const letters = (count: number) => 'x'.repeat(count);
const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));
const toolNamed = (name: string) => ({ type: 'function', function: { name } });

/** The longest time that the event loop was held, and how much was answered. */
async function ask(
  answer: LocalAnswer,
  body: unknown,
): Promise<{ heldMs: number; bytes: number; status: number }> {
  let [heldMs, bytes] = [0, 0];
  let startedMs = readThreadMs();
  const lap = () => {
    const nowMs = readThreadMs();
    heldMs = Math.max(heldMs, nowMs - startedMs);
    startedMs = nowMs;
  };
  const bytesOfBody = Buffer.from(JSON.stringify(body));
  startedMs = readThreadMs();
  const reply = answer({ body: bytesOfBody, path: '/x', signal: new AbortController().signal });
  lap();
  for await (const chunk of reply.chunks) {
    bytes += chunk.length;
    lap();
  }
  return { heldMs, bytes, status: reply.status };
}

describe('C1: what the sandbox is asked for costs milliseconds', () => {
  const [embeddings, rerank, moderation] = textExchanges.map(({ answer }) => answer);
  const [images] = imageExchanges.map(({ answer }) => answer);

  it.each<[string, LocalAnswer | undefined, unknown]>([
    ['2,048 vectors of 4,096 numbers', embeddings, { input: many(2_048, () => 'a'), dimensions: 4_096 }],
    ['a vector of many words', embeddings, { input: 'a b c d '.repeat(200_000) }],
    [
      '1,000 documents',
      rerank,
      { query: 'a b c '.repeat(1_000), documents: many(1_000, (n) => `b c ${n} `.repeat(200)) },
    ],
    ['a long text', moderation, { input: letters(1_900_000) }],
    ['ten large images', images, { prompt: 'x', n: 10, size: '2048x2048' }],
    [
      'eight lists of a billion',
      answerChat,
      { model: 'm', messages, n: 8, response_format: schemaOf({ type: 'array', minItems: 1e9 }) },
    ],
    [
      'log probabilities of long texts',
      answerChat,
      {
        model: 'm',
        messages,
        n: 8,
        logprobs: true,
        top_logprobs: 20,
        response_format: schemaOf({ type: 'string', minLength: 1e9 }),
      },
    ],
    [
      'long results of tools',
      answerChat,
      {
        model: 'm',
        n: 8,
        messages: [...messages, { role: 'tool', tool_call_id: 'a', content: letters(1_900_000) }],
      },
    ],
    [
      'many tools and a long question',
      answerChat,
      {
        model: 'm',
        messages: [{ role: 'user', content: letters(900_000) }],
        tools: many(15_000, (n) => toolNamed(`tool_${n}_zzzz`)),
      },
    ],
    ['a body of 3 MB', answerChat, { model: 'm', messages: [{ role: 'user', content: letters(3_000_000) }] }],
  ])('%s', async (_, answer, body) => {
    if (!answer) throw new Error('nothing answers');
    let { heldMs, bytes, status } = await ask(answer, body);
    // Once more where the first time may have been the machine's: processor time, too, grows with what else runs.
    if (heldMs >= STEP_MS) ({ heldMs, bytes, status } = await ask(answer, body));
    expect(heldMs, `status ${status}, ${bytes} bytes`).toBeLessThan(allowMs(STEP_MS, heldMs));
    expect(status < 300 || status === 400 || status === 413).toBe(true);
  });

  it('a recording of empty parts', async () => {
    const [transcription] = audioExchanges.map(({ answer }) => answer);
    const head =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\0\0\0\0WAVE';
    const body = Buffer.concat([
      Buffer.from(head),
      Buffer.alloc(24 * 1024 * 1024),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const startedMs = readThreadMs();
    const contentType = 'multipart/form-data; boundary=b';
    transcription?.({ body, contentType, path: '/x', signal: new AbortController().signal });
    const tookMs = readThreadMs() - startedMs;
    expect(tookMs).toBeLessThan(allowMs(STEP_MS, tookMs));
  });

  it('draws rows that look alike once', () => {
    const startedMs = readThreadMs();
    drawImage({ prompt: 'x', width: 2_048, height: 2_048, index: 0, progress: 1, edited: true });
    const tookMs = readThreadMs() - startedMs;
    expect(tookMs).toBeLessThan(allowMs(STEP_MS, tookMs));
  });
});

function schemaOf(schema: unknown): unknown {
  return { type: 'json_schema', json_schema: { schema } };
}
