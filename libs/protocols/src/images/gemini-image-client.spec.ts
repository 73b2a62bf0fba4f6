import { describe, expect, it } from 'vitest';
import type { PreparedCall, ExchangeProtocol, UpstreamAnswer } from '../exchange/exchange.js';
import type { JsonObject } from '../json.js';
import { runAtOnce } from '../canonical/steps.js';
import { readGeminiImages } from './read-gemini-images.js';

const CALL = { model: 'slug', stream: false, framing: 'sse' } as const;
const PNG = 'iVBORw0KGgo=';
const TURN = { role: 'user', parts: [{ text: 'a fox' }] };

function read(body: object, call: Partial<Parameters<typeof readGeminiImages>[1]> = {}) {
  return runAtOnce(readGeminiImages(Buffer.from(JSON.stringify(body)), { ...CALL, ...call }));
}

function prepare(exchange: ReturnType<typeof read>, protocol: ExchangeProtocol) {
  const dropped: string[] = [];
  const asking = exchange.prepare({
    protocol,
    model: 'real',
    channelType: 'some',
    traits: {},
    dropped: { add: (name) => dropped.push(name) },
  });
  return { asking, dropped, sent: JSON.parse(asking.bodies[0]?.bytes.toString() ?? '') as JsonObject };
}

function answer(parsed: JsonObject): UpstreamAnswer {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(parsed)), parsed };
}

const readAnswer = (asking: PreparedCall, parsed: JsonObject) => {
  const { bytes, contentType, usage } = asking.readAnswer([answer(parsed)]);
  return { text: bytes.toString(), contentType, usage };
};

describe('a client of Google that wants images', () => {
  const image = { inlineData: { mimeType: 'image/png', data: PNG } };
  const own = {
    candidates: [{ content: { parts: [{ text: 'Here.' }, image] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 1_290, totalTokenCount: 1_297 },
  };

  it("gets Google's own answer, for its own body but for what is ours", () => {
    const body = { contents: [TURN, { role: 'model', parts: [image] }, TURN], tools: [], odd: 1.0 };
    const { asking, sent } = prepare(read({ ...body, stream: false }), 'gemini-images');
    expect(sent).toEqual(body);
    const result = readAnswer(asking, own);
    expect(JSON.parse(result.text)).toEqual(own);
    expect(result.usage).toMatchObject({ images: 1, inputTokens: 7, imageOutputTokens: 1_290 });
  });

  it.each([
    { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } },
    { candidates: [{ content: { parts: [{ text: 'Which fox?' }] }, finishReason: 'STOP' }] },
  ])('gets the reason why there is no image as Google gives it, and pays for none', (said) => {
    const { asking } = prepare(read({ contents: [TURN] }), 'gemini-images');
    const result = readAnswer(asking, said);
    expect(JSON.parse(result.text)).toEqual(said);
    expect(result.usage?.images).toBe(0);
  });

  it.each([
    ['sse', 'text/event-stream', `data: ${JSON.stringify(own)}\n\n`],
    ['json-array', 'application/json', `[${JSON.stringify(own)}]`],
  ] as const)('and streams them gets one event (%s)', (framing, type, text) => {
    const { asking } = prepare(read({ contents: [TURN] }, { stream: true, framing }), 'gemini-images');
    const result = readAnswer(asking, own);
    expect(result.contentType).toContain(type);
    expect(result.text).toBe(text);
  });

  it('reaches other makers with a prompt, its images and its size', () => {
    const { asking, sent, dropped } = prepare(
      read({
        contents: [{ parts: [{ text: 'a fox' }, { inline_data: { mime_type: 'image/png', data: PNG } }] }],
        generation_config: {
          response_modalities: ['TEXT', 'IMAGE'],
          image_config: { aspect_ratio: '16:9', image_size: '1K' },
          temperature: 1,
        },
        safetySettings: [],
      }),
      'openai-images',
    );
    expect(sent).toEqual({
      model: 'real',
      prompt: 'a fox',
      response_format: 'b64_json',
      size: '1360x768',
      images: [{ image_url: `data:image/png;base64,${PNG}` }],
    });
    expect(dropped).toEqual(['safetySettings', 'generationConfig.temperature']);
    const { text } = readAnswer(asking, {
      created: 1,
      data: [{ b64_json: 'AAAA' }, { url: 'https://x/1.png' }],
    });
    expect(JSON.parse(text)).toMatchObject({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
              { fileData: { mimeType: 'image/png', fileUri: 'https://x/1.png' } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      modelVersion: 'slug',
    });
  });

  it.each<[object, string]>([
    [{ contents: [TURN, { role: 'model', parts: [{ text: 'ok' }] }, TURN] }, 'contents'],
    [{ contents: [TURN], tools: [{ googleSearch: {} }] }, 'tools'],
    [{ contents: [TURN], systemInstruction: { parts: [{ text: 'x' }] } }, 'systemInstruction'],
    [{ contents: [{ parts: [{ inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }] }] }, 'contents'],
    [{ contents: [{ parts: [{ text: 'x' }, { fileData: { fileUri: 'gs://a/b.png' } }] }] }, 'contents'],
    [{ contents: [TURN], generationConfig: { candidateCount: 9 } }, 'generationConfig.candidateCount'],
  ])('is refused by name what another maker cannot do: %j', (body, param) => {
    expect(() => prepare(read(body), 'imagen-images')).toThrow(expect.objectContaining({ param }));
  });

  it.each<[object, string]>([
    [{}, 'contents'],
    [{ contents: [{ parts: 'x' }] }, 'contents[0].parts'],
    [
      { contents: [TURN], generationConfig: { imageConfig: { aspectRatio: 'wide' } } },
      'generationConfig.imageConfig.aspectRatio',
    ],
    [
      { contents: [TURN], generationConfig: { imageConfig: { imageSize: '9K' } } },
      'generationConfig.imageConfig.imageSize',
    ],
  ])('is refused what nobody understands: %j', (body, param) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ param }));
  });
});
