import { type NanoUsd, parseUsd } from '@mg/contract';
import { createGate, writeSilence } from '@mg/testkit';
import { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { catchApiError, createOpenAi } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { CHARACTER_PRICE, TRANSCRIPTION_PRICE, MINUTE_PRICE } from '../deployment/audio.js';
import { waitUntil } from '../wait-until.js';

const SECONDS = 3;

function divideUp(amount: bigint, by: bigint): NanoUsd {
  return (amount + by - 1n) / by;
}

/** Speech to text and text to speech through the official SDK. */
export function describeAudio(get: () => Deployment): void {
  const record = () => toFile(writeSilence(SECONDS), 'speech.wav', { type: 'audio/wav' });
  const lastCall = () => get().upstream.calls.at(-1);
  const send = (form: FormData, headers: Record<string, string> = {}) =>
    request(get(), '/v1/audio/transcriptions', {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.main}`, ...headers },
      body: form,
    });
  const makeForm = (fields: Record<string, string | Blob>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') form.set(name, value);
      else form.set(name, value, 'speech.wav');
    }
    return form;
  };
  const sound = () => new Blob([new Uint8Array(writeSilence(SECONDS))], { type: 'audio/wav' });

  describe('transcription', () => {
    it('writes down a recording, with every field as it was sent, billed by its seconds', async () => {
      const { data, response } = await createOpenAi(get())
        .audio.transcriptions.create({
          model: 'hear-whisper',
          file: await record(),
          language: 'en',
          prompt: 'mill',
          temperature: 0.2,
          timestamp_granularities: ['word'],
          response_format: 'verbose_json',
        })
        .withResponse();
      expect(data.text).toContain('The river');
      expect(lastCall()?.body).toMatchObject({
        model: 'whisper-1',
        language: 'en',
        prompt: 'mill',
        temperature: '0.2',
        'timestamp_granularities[]': 'word',
        response_format: 'verbose_json',
        file: { name: 'speech.wav', type: 'audio/wav', size: writeSilence(SECONDS).length },
      });
      const cost = divideUp(2n * parseUsd(MINUTE_PRICE.per_minute), 60n);
      expect(parseUsd(response.headers.get('x-gateway-cost') ?? '')).toBe(cost);
    });

    it('answers texts and subtitles as texts, billed by the length that the gateway measured', async () => {
      for (const [format, start] of [
        ['text', 'The river'],
        ['srt', '1\n00:00:00,000 --> '],
      ] as const) {
        const answer = await send(
          makeForm({ model: 'hear-whisper', response_format: format, file: sound() }),
        );
        expect(answer.headers.get('content-type')).toContain('text/plain');
        expect(answer.text.startsWith(start)).toBe(true);
        const cost = divideUp(BigInt(SECONDS) * parseUsd(MINUTE_PRICE.per_minute), 60n);
        expect(parseUsd(answer.headers.get('x-gateway-cost') ?? '')).toBe(cost);
      }
    });

    it('is billed by tokens of audio and text where the upstream reports them', async () => {
      const { response } = await createOpenAi(get())
        .audio.transcriptions.create({ model: 'hear-gpt', file: await record() })
        .withResponse();
      const { promptTokens = 0, completionTokens = 0 } = lastCall() ?? {};
      const cost =
        divideUp(BigInt(promptTokens) * parseUsd(TRANSCRIPTION_PRICE.audio_input_per_million), 1_000_000n) +
        divideUp(BigInt(completionTokens) * parseUsd(TRANSCRIPTION_PRICE.output_per_million), 1_000_000n);
      expect(parseUsd(response.headers.get('x-gateway-cost') ?? '')).toBe(cost);
    });

    it('streams where the upstream does, and as one piece where it does not', async () => {
      for (const model of ['hear-gpt', 'hear-whisper', 'hear-gemini'] as const) {
        const stream = await createOpenAi(get()).audio.transcriptions.create({
          model,
          file: await record(),
          stream: true,
        });
        let text = '';
        let done: string | undefined;
        for await (const event of stream) {
          if (event.type === 'transcript.text.delta') text += event.delta;
          if (event.type === 'transcript.text.done') done = event.text;
        }
        expect(text).not.toBe('');
        expect(done).toBe(text);
      }
    });

    it('reaches a Gemini model that listens, which is refused what it cannot report', async () => {
      const client = createOpenAi(get());
      const { text } = await client.audio.transcriptions.create({
        model: 'hear-gemini',
        file: await record(),
      });
      // The fake takes every attachment for an image.
      expect(text).toContain('I see 1');
      expect(lastCall()?.body).toMatchObject({
        contents: [{ parts: [{ inlineData: { mimeType: 'audio/wav' } }, { text: expect.any(String) }] }],
      });
      const error = await catchApiError(
        client.audio.transcriptions.create({
          model: 'hear-gemini',
          file: await record(),
          response_format: 'srt',
        }),
      );
      expect(error).toMatchObject({ status: 400, param: 'response_format' });
    });

    it('translates', async () => {
      const { text } = await createOpenAi(get()).audio.translations.create({
        model: 'hear-whisper',
        file: await record(),
      });
      expect(text).toContain('The river');
      expect(lastCall()?.path).toBe('/v1/audio/translations');
    });

    it('is refused by the name of the field, and costs nothing when the upstream fails', async () => {
      const cases = [
        [{ model: 'hear-whisper' }, 400, 'file'],
        [{ file: sound() }, 400, 'model'],
        [{ model: 'hear-whisper', file: 'a text' }, 400, 'file'],
        [{ model: 'hear-whisper', file: sound(), response_format: 'xml' }, 400, 'response_format'],
        [{ model: 'hear-whisper', file: sound(), temperature: 'hot' }, 400, 'temperature'],
        [{ model: 'nothing', file: sound() }, 404, 'model'],
        [{ model: 'plain', file: sound() }, 404, 'model'],
      ] as const;
      for (const [fields, status, param] of cases) {
        const answer = await send(makeForm(fields));
        expect([answer.status, answer.failure.detail.param]).toEqual([status, param]);
      }
      const failed = await send(makeForm({ model: 'hear-failing', file: sound() }));
      expect([failed.status, failed.failure.detail.code]).toEqual([502, 'upstream_error']);
      const poor = await send(makeForm({ model: 'hear-whisper', file: sound() }), {
        authorization: `Bearer ${KEYS.poor}`,
      });
      expect(poor.status).toBe(402);
      const json = await request(get(), '/v1/audio/transcriptions', {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
        body: '{}',
      });
      expect(json.status).toBe(415);
    });

    it('is answered once for one Idempotency-Key, although each form has a boundary of its own', async () => {
      const headers = { 'idempotency-key': `hear-${Date.now()}` };
      const form = () => makeForm({ model: 'hear-whisper', file: sound() });
      const first = await send(form(), headers);
      const calls = get().upstream.calls.length;
      expect((await send(form(), headers)).text).toBe(first.text);
      expect(get().upstream.calls).toHaveLength(calls);
    });
  });

  describe('speech', () => {
    it('says a text, billed by its characters', async () => {
      const input = 'The old mill – übrigens';
      const { data, response } = await createOpenAi(get())
        .audio.speech.create({ model: 'say', voice: 'alloy', input })
        .withResponse();
      expect(response.headers.get('content-type')).toBe('audio/mpeg');
      expect(Buffer.from(await data.arrayBuffer()).toString()).toBe(`ID3-${input}`);
      const price = parseUsd(CHARACTER_PRICE.per_million_characters);
      const cost = divideUp(BigInt([...input].length) * price, 1_000_000n);
      expect(parseUsd(response.headers.get('x-gateway-cost') ?? '')).toBe(cost);
    });

    const say = () =>
      fetch(`${get().gatewayUrl}/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'say', voice: 'alloy', input: 'The old mill' }),
      });
    const findLog = async (response: Response) => {
      const console = await ConsoleClient.asAdmin(get());
      return waitUntil('the log', () => console.findLog(response.headers.get('x-request-id') ?? ''));
    };

    it('begins before it is whole, with its price in a header', async () => {
      const gate = createGate();
      get().upstream.script('tts-1', { waitMidway: () => gate.wait() }, {});
      const response = await say();
      const reader = (response.body ?? new ReadableStream()).getReader();
      const first = (await reader.read()) as { value: Uint8Array };
      // The byte that is held back, in case it is the last one, comes with the next piece.
      expect(Buffer.from(first.value).toString()).toBe('ID3-The');
      gate.open();
      let rest = '';
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        rest += Buffer.from(piece.value as Uint8Array).toString();
      }
      expect(rest).toBe(' old mill');
      const log = await findLog(response);
      expect(log).toMatchObject({ status: 200, cost: response.headers.get('x-gateway-cost') });
    });

    it('that breaks off is not taken for whole, and costs nothing', async () => {
      const gate = createGate();
      const failure = { kind: 'reset', afterEvents: 1 } as const;
      get().upstream.script('tts-1', { failure, waitMidway: () => gate.wait() }, {});
      const response = await say();
      gate.open();
      expect(response.status).toBe(200);
      await expect(response.arrayBuffer()).rejects.toThrow('terminated');
      expect(await findLog(response)).toMatchObject({ cost: '0' });
    });

    it('stops at the upstream when nobody listens any more, and is paid for', async () => {
      const gate = createGate();
      get().upstream.script('tts-1', { waitMidway: () => gate.wait() }, {});
      const response = await say();
      await response.body?.cancel();
      await waitUntil('the upstream to be left', () => get().upstream.calls.at(-1)?.aborted);
      gate.open();
      expect(await findLog(response)).toMatchObject({ cost: response.headers.get('x-gateway-cost') });
    });

    it('refuses by the name of the field', async () => {
      const client = createOpenAi(get());
      const empty = client.audio.speech.create({ model: 'say', voice: 'alloy', input: '' });
      expect(await catchApiError(empty)).toMatchObject({ status: 400, param: 'input' });
      const fast = client.audio.speech.create({ model: 'say', voice: 'alloy', input: 'a', speed: 9 });
      expect(await catchApiError(fast)).toMatchObject({ status: 400, param: 'speed' });
    });
  });

  describe('the sandbox', () => {
    it('hears, in every format, and is billed by the measured length', async () => {
      const client = createOpenAi(get());
      const options = { model: 'sandbox-transcribe', file: await record() };
      const { data, response } = await client.audio.transcriptions.create(options).withResponse();
      expect(data.text).toContain('Simulated');
      const console = await ConsoleClient.asAdmin(get());
      const requestId = response.headers.get('x-request-id') ?? '';
      const log = await waitUntil('the log', () => console.findLog(requestId));
      expect(log).toMatchObject({ endpoint: '/v1/audio/transcriptions', usage: { seconds: SECONDS } });
      const srt = await client.audio.transcriptions.create({ ...options, response_format: 'srt' });
      expect(srt).toMatch(/^1\n00:00:00,000 --> 00:00:03,000\nSimulated/);
      const vtt = await client.audio.transcriptions.create({ ...options, response_format: 'vtt' });
      expect(vtt).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:03\.000\n/);
      const verbose = await client.audio.transcriptions.create({
        ...options,
        response_format: 'verbose_json',
      });
      expect(verbose).toMatchObject({ duration: SECONDS, segments: [{ start: 0, end: SECONDS }] });
    });

    it('speaks, in sound that it can hear again', async () => {
      const client = createOpenAi(get());
      const spoken = await client.audio.speech.create({
        model: 'sandbox-speech',
        voice: 'any',
        input: 'Hello!',
      });
      const file = await toFile(Buffer.from(await spoken.arrayBuffer()), 'spoken.wav');
      const transcription = await client.audio.transcriptions.create({ model: 'sandbox-transcribe', file });
      expect(transcription.text).toContain('Simulated');
    });
  });
}
