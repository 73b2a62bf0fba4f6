import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Deployment } from '../src/deployment/deployment.js';
import { slugOver, WIRES } from '../src/deployment/wires.js';
import { ask, type Ask, endpointOf, PNG, png } from './endpoints.js';
import { expectFailure } from './expect-failure.js';

const count = z.int().min(0);
const usd = z.string().regex(/^\d+(\.\d+)?$/);

const CHAT_RESPONSE = z.object({
  id: z.string().min(1),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(z.looseObject({})).min(1),
  usage: z.looseObject({ prompt_tokens: count, completion_tokens: count, total_tokens: count }),
});
const MESSAGES_RESPONSE = z.object({
  id: z.string().min(1),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })).min(1),
  stop_reason: z.string(),
  usage: z.looseObject({ input_tokens: count, output_tokens: count }),
});
const GENERATE_RESPONSE = z.object({
  candidates: z
    .array(z.looseObject({ content: z.looseObject({ parts: z.array(z.looseObject({})) }) }))
    .min(1),
  usageMetadata: z.looseObject({ promptTokenCount: count, candidatesTokenCount: count }),
});
const EMBEDDINGS_RESPONSE = z.object({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(z.looseObject({ index: count, embedding: z.array(z.number()) })).length(1),
  usage: z.looseObject({ prompt_tokens: count, total_tokens: count }),
});
const IMAGE_RESPONSE = z.object({
  created: z.int(),
  data: z
    .array(
      z.looseObject({
        url: z.url().optional(),
        b64_json: z.base64().optional(),
        revised_prompt: z.string().optional(),
      }),
    )
    .length(1),
});
const GATEWAY_EXTRAS = z.strictObject({ request_id: z.uuid(), cost: usd, latency_ms: count });
const GENERIC_TASK = z.object({
  task_id: z.string().min(1),
  status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
  _gateway: GATEWAY_EXTRAS,
});
const NATIVE_TASK = z.object({
  id: z.string().min(1),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  _gateway: GATEWAY_EXTRAS,
});
const TRANSCRIPTION = z.object({ text: z.string() });

/** The fields of every response, by the section that lists them and the number of the endpoint. */
const RESPONSES: readonly (readonly [section: string, endpoint: number, schema: z.ZodType])[] = [
  ['2.2', 2, CHAT_RESPONSE],
  ['2.3', 3, MESSAGES_RESPONSE],
  ['2.4', 4, GENERATE_RESPONSE],
  ['2.5', 5, EMBEDDINGS_RESPONSE],
  ['2.6', 6, IMAGE_RESPONSE],
  ['2.7', 7, IMAGE_RESPONSE],
  ['2.8', 8, GENERIC_TASK],
  ['2.9', 10, NATIVE_TASK],
  ['2.10', 12, TRANSCRIPTION],
];

/** The fields of every request: a value that is taken, and one of a wrong type or form. */
const REQUEST_FIELDS: readonly (readonly [
  section: string,
  endpoint: number,
  field: string,
  right: unknown,
  wrong: unknown,
])[] = [
  ['2.1', 2, 'messages', [{ role: 'user', content: 'Hi' }], 'Hi'],
  ['2.1', 2, 'stream', false, 'yes'],
  ['2.1', 2, 'temperature', 0.5, 'hot'],
  ['2.1', 2, 'max_tokens', 16, '16'],
  ['2.3', 3, 'messages', [{ role: 'user', content: 'Hi' }], 'Hi'],
  ['2.3', 3, 'stream', false, 'yes'],
  ['2.3', 3, 'max_tokens', 16, '16'],
  ['2.4', 4, 'contents', [{ role: 'user', parts: [{ text: 'Hi' }] }], 'Hi'],
  ['2.4', 4, 'stream', false, 'yes'],
  ['2.5', 5, 'input', 'a hill', 5],
  ['2.6', 6, 'prompt', 'a hill', 5],
  ['2.6', 6, 'n', 1, 'one'],
  ['2.6', 6, 'size', '1024x1024', 'large'],
  ['2.7', 7, 'prompt', 'a hill', ''],
  ['2.7', 7, 'image', png(), 'a hill'],
  ['2.7', 7, 'n', 1, 'one'],
  ['2.7', 7, 'size', '1024x1024', 'large'],
  ['2.7', 7, 'mask', png(), 'a hill'],
  ['2.8', 8, 'prompt', 'a hill', 5],
  ['2.8', 8, 'duration', 6, '6 s'],
  ['2.9', 10, 'content', [{ type: 'text', text: 'a hill' }], 'a hill'],
  ['2.9', 10, 'duration', 6, '6'],
  ['2.9', 10, 'ratio', '16:9', 'wide'],
  ['2.9', 10, 'resolution', '720p', 720],
  ['2.10', 12, 'file', new Blob([new Uint8Array(8)], { type: 'audio/wav' }), 'a hill'],
  ['2.10', 12, 'language', 'en', undefined],
  ['2.10', 12, 'prompt', 'a hill', undefined],
  ['2.10', 12, 'response_format', 'json', 'mp3'],
  ['2.10', 12, 'temperature', 0.5, 'hot'],
];

/** Models that stand in the body, at its top level. */
const WITH_MODEL = [2, 3, 5, 6, 7, 8, 10, 12];

/** Specification, section 2: resources and their fields. */
export function describeFields(get: () => Deployment): void {
  const expectBody = async (number: number, order: Ask = {}): Promise<unknown> => {
    const { status, text } = await ask(get(), endpointOf(number), order);
    // With the text, so that a failure shows the error's words.
    expect({ status, text }).toEqual({ status: 200, text });
    return JSON.parse(text);
  };

  describe('section 2, fields', () => {
    it.each(RESPONSES)('%s: the response of endpoint %i has them', async (_, number, schema) => {
      schema.parse(await expectBody(number));
    });

    it.each(WIRES)('2.2: a chat over a channel of $name has them too', async (wire) => {
      const answer = CHAT_RESPONSE.parse(await expectBody(2, { model: slugOver(wire, 'plain') }));
      const { prompt_tokens: asked, completion_tokens: extras, total_tokens: both } = answer.usage;
      expect(both).toBe(asked + extras);
    });

    it.each(REQUEST_FIELDS)('%s: endpoint %i takes %s', async (_, number, field, right) => {
      await expectBody(number, { fields: { [field]: right } });
    });

    it.each(REQUEST_FIELDS.filter(([, , , , wrong]) => wrong !== undefined))(
      '%s: endpoint %i refuses %s of a wrong type or form',
      async (_, number, field, _right, wrong) => {
        const endpoint = endpointOf(number);
        const answer = await ask(get(), endpoint, { fields: { [field]: wrong } });
        expectFailure(answer, endpoint.dialect, { status: 400, code: 'invalid_request' });
        expect(answer.failure.detail.param).toMatch(new RegExp(`^(generationConfig\\.)?${field}`));
      },
    );

    it.each(WITH_MODEL)('2.1 to 2.10: endpoint %i wants a model, a string', async (number) => {
      const endpoint = endpointOf(number);
      for (const model of [undefined, '', ...(endpoint.body === 'json' ? [7, null, ['a']] : [])]) {
        const answer = await ask(get(), endpoint, { fields: { model } });
        expectFailure(answer, endpoint.dialect, { status: 400, code: 'invalid_request', param: 'model' });
      }
    });

    it.each([6, 7])('2.6: endpoint %i gives b64_json or url as response_format says', async (number) => {
      const inBytes = IMAGE_RESPONSE.parse(
        await expectBody(number, { fields: { response_format: 'b64_json' } }),
      );
      expect(Object.keys(inBytes.data[0] ?? {})).toContain('b64_json');
      const answer = await ask(get(), endpointOf(number), { fields: { response_format: 'url' } });
      const [first] = IMAGE_RESPONSE.parse(JSON.parse(answer.text)).data;
      expect(first?.url).toBeTruthy();
    });

    it('2.9: model and content stand at the top level, not in a metadata object', async () => {
      const endpoint = endpointOf(10);
      const nested = { model: undefined, metadata: { model: 'video/works' } };
      const answer = await ask(get(), endpoint, { fields: nested });
      expectFailure(answer, 'openai', { status: 400, code: 'invalid_request', param: 'model' });
      expect(answer.failure.detail.message).toContain('top level');
    });

    it('2.8, 2.9: _gateway reports what the headers of the answer report', async () => {
      for (const number of [8, 10]) {
        const answer = await ask(get(), endpointOf(number));
        const extras = z.looseObject({ _gateway: GATEWAY_EXTRAS }).parse(JSON.parse(answer.text))['_gateway'];
        expect(extras).toEqual({
          request_id: answer.headers.get('x-request-id'),
          cost: answer.headers.get('x-gateway-cost'),
          latency_ms: Number(answer.headers.get('x-gateway-latency-ms')),
        });
      }
    });

    it('2.10: response_format chooses the form of a transcription', async () => {
      for (const format of ['text', 'srt', 'verbose_json']) {
        const answer = await ask(get(), endpointOf(12), { fields: { response_format: format } });
        expect(answer.status).toBe(200);
        const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json');
        expect([format, isJson]).toEqual([format, format === 'verbose_json']);
        expect(Number(answer.headers.get('x-gateway-cost'))).toBeGreaterThan(0);
      }
    });

    it('2.7: the image that was sent reaches the provider whole', async () => {
      await expectBody(7, { fields: { mask: png() } });
      const call = get().upstream.calls.findLast(({ path }) => path.endsWith('/images/edits'));
      const size = PNG.length;
      expect(call?.body).toMatchObject({ image: { size }, mask: { size } });
    });
  });
}
