import { describe, expect, it } from 'vitest';
import type { ExchangeProtocol, ExchangeTarget, FormPart, UpstreamAnswer } from '../exchange/exchange.js';
import { splitForm } from '../exchange/split-form.js';
import { gatherBytes } from '../exchange/stored-bytes.js';
import type { JsonObject } from '../json.js';
import { readSpeech } from './read-speech.js';
import { readTranscription } from './read-transcription.js';
import type { Recording } from './transcription.js';

const recording: Recording = {
  bytes: Buffer.from('sound'),
  filename: 'a.mp3',
  contentType: 'audio/mpeg',
  seconds: 7,
  measured: true,
};

function target(protocol: ExchangeProtocol): ExchangeTarget {
  return {
    protocol,
    model: 'upstream',
    channelType: 'some-type',
    traits: {},
    dropped: { add: () => undefined },
  };
}

function read(fields: Readonly<Record<string, string>> = {}) {
  const parts: FormPart[] = [
    { name: 'file', filename: 'a.mp3', contentType: 'audio/mpeg', bytes: recording.bytes },
    ...Object.entries({ model: 'slug', ...fields }).map(([name, text]) => ({
      name,
      bytes: Buffer.from(text),
    })),
  ];
  return readTranscription(parts, recording, 'transcribe');
}

function answer(parsed: JsonObject): UpstreamAnswer {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(parsed)), parsed };
}

describe('transcriptions', () => {
  it('go to a channel of the same dialect part by part, but for the model', async () => {
    const [body] = read({ 'include[]': 'logprobs' }).prepare(target('openai-transcriptions')).bodies;
    expect(splitForm(body?.contentType ?? '', await gatherBytes(body?.bytes ?? Buffer.alloc(0)))).toEqual([
      { name: 'file', filename: 'a.mp3', contentType: 'audio/mpeg', bytes: recording.bytes },
      { name: 'model', bytes: Buffer.from('upstream') },
      { name: 'include[]', bytes: Buffer.from('logprobs') },
    ]);
  });

  it.each([
    ['seconds', { text: 'a', usage: { type: 'duration', seconds: 8.2 } }, { seconds: 9 }],
    ['the duration of a verbose answer', { text: 'a', duration: 6.5 }, { seconds: 7 }],
    [
      'tokens',
      {
        text: 'a',
        usage: {
          type: 'tokens',
          input_tokens: 50,
          input_token_details: { audio_tokens: 45 },
          output_tokens: 3,
        },
      },
      { seconds: 7, inputTokens: 50, audioInputTokens: 45, outputTokens: 3 },
    ],
  ])('are billed by what the answer reports: %s', (_, body, usage) => {
    const result = read()
      .prepare(target('openai-transcriptions'))
      .readAnswer([answer(body)]);
    expect(result.usage).toMatchObject(usage);
  });

  it('are estimated by their measured length when nothing is reported', () => {
    const exchange = read({ response_format: 'text' });
    const text = { contentType: 'text/plain', bytes: Buffer.from('words'), parsed: undefined };
    const result = exchange.prepare(target('openai-transcriptions')).readAnswer([text]);
    expect(result.usage).toBeUndefined();
    expect(exchange.estimate).toMatchObject({ seconds: 7, inputTokens: 119, outputTokens: 28 });
    expect(exchange.bound.inputTokens).toBeGreaterThan(exchange.estimate.inputTokens);
  });

  it('report their usage at the end of a stream, wherever it is cut', () => {
    const events = [
      { type: 'transcript.text.delta', delta: 'wörd' },
      { type: 'transcript.text.done', text: 'wörd', usage: { input_tokens: 9, output_tokens: 2 } },
    ];
    const stream = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    for (let cut = 0; cut <= stream.length; cut++) {
      const reader = read({ stream: 'true' }).prepare(target('openai-transcriptions')).createReader?.();
      const sent = [reader?.push(stream.subarray(0, cut)), reader?.push(stream.subarray(cut)), reader?.end()];
      expect(Buffer.concat(sent.map((bytes) => bytes ?? Buffer.alloc(0)))).toEqual(stream);
      expect(reader?.usage).toMatchObject({ inputTokens: 9, outputTokens: 2, seconds: 7 });
    }
  });

  it('by Gemini carry the sound within, and come back with its tokens', () => {
    const asking = read({ language: 'de', prompt: 'Mühle' }).prepare(target('gemini-transcriptions'));
    const asked = JSON.parse(asking.bodies[0]?.bytes.toString() ?? '');
    expect(asked.contents[0].parts[0]).toEqual({
      inlineData: { mimeType: 'audio/mpeg', data: recording.bytes.toString('base64') },
    });
    expect(asked.contents[0].parts[1].text).toMatch(/The language is de\.[\s\S]*Mühle/);
    const result = asking.readAnswer([
      answer({
        candidates: [
          { content: { parts: [{ text: 'hm', thought: true }, { text: 'words' }] }, finishReason: 'STOP' },
        ],
        usageMetadata: {
          promptTokenCount: 230,
          candidatesTokenCount: 4,
          promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 224 }],
        },
      }),
    ]);
    expect(JSON.parse(result.bytes.toString())).toMatchObject({
      text: 'words',
      usage: { total_tokens: 234 },
    });
    expect(result.usage).toMatchObject({
      inputTokens: 230,
      audioInputTokens: 224,
      outputTokens: 4,
      seconds: 7,
    });
  });

  it('that a provider refuses to hear are for the caller to change', () => {
    const asking = read().prepare(target('gemini-transcriptions'));
    const refused = answer({ candidates: [{ finishReason: 'PROHIBITED_CONTENT' }] });
    expect(() => asking.readAnswer([refused])).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'file' }),
    );
  });
});

describe('speech', () => {
  const speak = (body: object) =>
    readSpeech(Buffer.from(JSON.stringify({ model: 'm', voice: 'v', ...body })));

  it('counts characters as people do', () => {
    expect(speak({ input: 'a👍é' }).estimate.characters).toBe(3);
  });

  it.each([
    ['input', {}],
    ['input', { input: '' }],
    ['input', { input: 'x'.repeat(4_097) }],
    ['voice', { input: 'a', voice: 1 }],
    ['speed', { input: 'a', speed: 5 }],
  ])('is refused by the name of the field: %s', (param, body) => {
    expect(() => speak(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it('is a fault of the upstream when there is no sound', () => {
    const asking = speak({ input: 'a' }).prepare(target('openai-speech'));
    expect(() => asking.readAnswer([answer({ oops: true })])).toThrow(
      expect.objectContaining({ code: 'upstream_error' }),
    );
  });
});
