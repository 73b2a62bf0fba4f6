import { connect, type Socket } from 'node:net';
import { formatUsd, type NanoUsd, parseUsd } from '@mg/contract';
import type { UpstreamCall } from '@mg/testkit';
import { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { catchApiError, createOpenAi, readAll } from '../clients/openai-client.js';
import { readGauge } from '../clients/read-gauge.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { IMAGE_PRICE } from '../deployment/images.js';
import { waitUntil } from '../wait-until.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const FOUR_MEGABYTES = 4 * 1024 * 1024;
const ABORTED_UPLOADS = 30;

/** What tokens of images cost by the upstream's own meter: each line rounded up. */
function expectedCost({ promptTokens, imageTokens = 0, completionTokens }: UpstreamCall): NanoUsd {
  const line = (tokens: number, perMillion: string) =>
    (BigInt(tokens) * parseUsd(perMillion) + 999_999n) / 1_000_000n;
  return (
    line(promptTokens - imageTokens, IMAGE_PRICE.input_per_million) +
    line(imageTokens, IMAGE_PRICE.image_input_per_million) +
    line(completionTokens, IMAGE_PRICE.output_per_million)
  );
}

/** Images made and edited, through the official SDK and through forms that no SDK would send. */
export function describeImages(get: () => Deployment): void {
  const png = (name = 'a.png') => toFile(PNG, name, { type: 'image/png' });
  const lastCall = () => {
    const call = get().upstream.calls.at(-1);
    if (!call) throw new Error('nothing was asked');
    return call;
  };
  const costOf = ({ headers }: { headers: Headers }) => headers.get('x-gateway-cost');
  const blob = (bytes: Uint8Array<ArrayBuffer> = new Uint8Array(PNG)) =>
    new Blob([bytes], { type: 'image/png' });
  const sendEdit = (
    fields: readonly (readonly [string, string | Blob])[],
    headers: Record<string, string> = {},
  ) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return request(get(), '/v1/images/edits', {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.main}`, ...headers },
      body: form,
    });
  };
  const EDIT = [
    ['model', 'paint-gpt'],
    ['prompt', 'a hat'],
  ] as const;

  describe('images', () => {
    it('are made, and billed by the tokens of text and images', async () => {
      const { data, response } = await createOpenAi(get())
        .images.generate({
          model: 'paint-gpt',
          prompt: 'a fox in a hat',
          n: 2,
          quality: 'high',
          size: '1024x1536',
        })
        .withResponse();
      expect(data.data?.map((item) => typeof item.b64_json)).toEqual(['string', 'string']);
      expect(data.usage?.output_tokens).toBe(2_112);
      expect(lastCall().body).toMatchObject({ model: 'gpt-image-1', n: 2, quality: 'high' });
      expect(costOf(response)).toBe(formatUsd(expectedCost(lastCall())));
      const console = await ConsoleClient.asAdmin(get());
      const requestId = response.headers.get('x-request-id') ?? '';
      const log = await waitUntil('the log', () => console.findLog(requestId));
      expect(log).toMatchObject({
        estimated: false,
        endpoint: '/v1/images/generations',
        usage: { images: 2 },
      });
    });

    it.each([
      [{}, '0.04'],
      [{ quality: 'hd' }, '0.08'],
      [{ size: '1024x1792' }, '0.080000001'],
      [{ size: '1024x1792', quality: 'hd' }, '0.12'],
    ] as const)('are billed each by the variant of the price: %j', async (asked, cost) => {
      const { data, response } = await createOpenAi(get())
        .images.generate({ model: 'paint-dalle', prompt: 'a fox', ...asked })
        .withResponse();
      expect(data.data?.[0]).toMatchObject({
        url: expect.stringContaining('https://'),
        revised_prompt: expect.any(String),
      });
      expect(costOf(response)).toBe(cost);
    });

    it('come as the client wants them, whatever the model gives', async () => {
      const client = createOpenAi(get());
      const bytes = await client.images.generate({
        model: 'paint-dalle',
        prompt: 'a fox',
        response_format: 'b64_json',
      });
      expect(bytes.data?.[0]?.b64_json).toBeTypeOf('string');
      const url = await client.images.generate({
        model: 'paint-gpt',
        prompt: 'a fox',
        response_format: 'url',
      });
      expect(url.data?.[0]?.url).toMatch(/^data:image\/png;base64,iVBOR/);
      expect(lastCall().body).not.toHaveProperty('response_format');
    });

    it('are edited: one, several in their order, with a mask', async () => {
      const client = createOpenAi(get());
      const one = await client.images
        .edit({ model: 'paint-gpt', prompt: 'a hat', image: await png(), mask: await png('mask.png') })
        .withResponse();
      expect(one.data.data).toHaveLength(1);
      expect(lastCall().body).toMatchObject({
        image: { name: 'a.png', size: PNG.length },
        mask: { name: 'mask.png' },
      });
      expect(costOf(one.response)).toBe(formatUsd(expectedCost(lastCall())));

      await client.images.edit({
        model: 'paint-gpt',
        prompt: 'a hat',
        image: [await png('1.png'), await png('2.png')],
      });
      expect(lastCall().body).toMatchObject({
        'image[]': [{ name: '1.png' }, { name: '2.png' }],
        model: 'gpt-image-1',
      });

      const gemini = await client.images
        .edit({
          model: 'paint-gemini',
          prompt: 'a hat',
          image: [await png(), await png()],
          size: '1024x1792',
        })
        .withResponse();
      expect(gemini.data.data?.[0]?.b64_json).toBeTypeOf('string');
      expect(lastCall().body).toMatchObject({ generationConfig: { imageConfig: { aspectRatio: '9:16' } } });
    });

    it('are made like another one, by the channel that has such a call, and billed by their size', async () => {
      const client = createOpenAi(get());
      const two = await client.images
        .createVariation({ model: 'paint-varied', image: await png(), n: 2, size: '512x512', user: 'u' })
        .withResponse();
      expect(two.data.data?.map(({ url }) => url)).toEqual([
        expect.stringContaining('https://'),
        expect.stringContaining('https://'),
      ]);
      expect(lastCall()).toMatchObject({
        path: '/v1/images/variations',
        body: { model: 'dall-e-2', image: { name: 'a.png', size: PNG.length }, n: '2', user: 'u' },
      });
      expect(costOf(two.response)).toBe('0.036000002');
      const drawn = await client.images
        .createVariation({ model: 'sandbox-image', image: await png(), response_format: 'b64_json' })
        .withResponse();
      expect(drawn.data.data?.[0]?.b64_json).toMatch(/^iVBOR/);
      expect(costOf(drawn.response)).toBe('0.02');
    });

    it('are not made like another one where no channel has such a call', async () => {
      const calls = get().upstream.calls.length;
      const refused = await catchApiError(
        createOpenAi(get()).images.createVariation({ model: 'paint-gemini', image: await png() }),
      );
      expect(refused).toMatchObject({ status: 400, param: 'image', code: 'invalid_request' });
      expect(refused.message).toContain('type gemini');
      expect(get().upstream.calls).toHaveLength(calls);
    });

    it('are edited by URL, and by the id of a file', async () => {
      const image_url = `data:image/png;base64,${PNG.toString('base64')}`;
      const { id: file_id } = await createOpenAi(get()).files.create({
        file: await png(),
        purpose: 'vision',
      });
      const images = [{ image_url }, { file_id }];
      const body = JSON.stringify({ model: 'paint-gpt', prompt: 'a hat', images });
      const headers = { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' };
      const answer = await request(get(), '/v1/images/edits', { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      expect(lastCall().body).toMatchObject({ images: [{ image_url }, { image_url }] });
      expect(costOf(answer)).toBe(formatUsd(expectedCost(lastCall())));
    });

    it('come in a stream with their previews, megabytes each, and are billed', async () => {
      const { data, response } = await createOpenAi(get())
        .images.generate({ model: 'paint-huge', prompt: 'a fox', stream: true, partial_images: 2 })
        .withResponse();
      const events = await readAll(data);
      expect(events.map((event) => event.type)).toEqual([
        'image_generation.partial_image',
        'image_generation.partial_image',
        'image_generation.completed',
      ]);
      expect(events[0]?.b64_json.length).toBe(9 * 1024 * 1024);
      const cost = formatUsd(expectedCost(lastCall()));
      const console = await ConsoleClient.asAdmin(get());
      const requestId = response.headers.get('x-request-id') ?? '';
      const log = await waitUntil('the log', () => console.findLog(requestId));
      expect(log).toMatchObject({ cost, estimated: false, usage: { images: 1 } });
    });

    it('come in one event from a model that does not stream', async () => {
      const stream = await createOpenAi(get()).images.generate({
        model: 'paint-gemini',
        prompt: 'a fox',
        stream: true,
      });
      const events = await readAll(stream);
      expect(events.map((event) => event.type)).toEqual(['image_generation.completed']);
      expect(events[0]?.b64_json).toMatch(/^iVBOR/);
    });

    it('that the provider will not make are refused in its words, and cost nothing', async () => {
      const client = createOpenAi(get());
      const cases = [
        ['paint-gpt', 'forbidden', 'Your request was rejected by the safety system.'],
        ['paint-gemini', 'forbidden', 'prompt was refused by the provider: PROHIBITED_CONTENT.'],
        [
          'paint-gemini',
          'unsafe',
          'prompt was refused by the provider: Unable to show the generated image..',
        ],
      ] as const;
      for (const [model, prompt, said] of cases) {
        const error = await catchApiError(client.images.generate({ model, prompt }));
        expect(error.status).toBe(400);
        expect(error.message).toContain(said);
      }
      for (const model of ['paint-empty', 'paint-failing']) {
        expect(await catchApiError(client.images.generate({ model, prompt: 'a fox' }))).toMatchObject({
          status: 502,
        });
      }
      const twice = await catchApiError(
        client.images.generate({ model: 'paint-dalle', prompt: 'a fox', n: 2 }),
      );
      expect(twice).toMatchObject({ status: 400, param: 'n' });
    });

    it('are drawn without any provider, too', async () => {
      const client = createOpenAi(get());
      const made = await client.images
        .generate({ model: 'sandbox-image', prompt: 'a fox', size: '64x32', quality: 'high', n: 2 })
        .withResponse();
      expect(costOf(made.response)).toBe('0.08');
      const bytes = Buffer.from(made.data.data?.[0]?.b64_json ?? '', 'base64');
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 32]);
      const edited = await client.images.edit({
        model: 'sandbox-image',
        prompt: 'a hat',
        image: await toFile(bytes, 'fox.png', { type: 'image/png' }),
        stream: true,
        partial_images: 1,
      });
      expect((await readAll(edited)).map((event) => event.type)).toEqual([
        'image_edit.partial_image',
        'image_edit.completed',
      ]);
    });
  });

  describe('forms', () => {
    const jpeg = () => blob(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]));
    const large = () => blob(new Uint8Array(Buffer.concat([PNG, Buffer.alloc(FOUR_MEGABYTES)])));

    it('are refused by the name of the part', async () => {
      const cases: readonly (readonly [readonly (readonly [string, string | Blob])[], number, string])[] = [
        [EDIT, 400, 'image'],
        [[EDIT[0], ['image', blob()]], 400, 'prompt'],
        [[EDIT[1], ['image', blob()]], 400, 'model'],
        [[...EDIT, ['image', jpeg()]], 400, 'image'],
        [[...EDIT, ['image', large()]], 400, 'image'],
        [[...EDIT, ['image[]', blob()], ['image[]', jpeg()]], 400, 'image[1]'],
        [[...EDIT, ['image', blob()], ['mask', jpeg()]], 400, 'mask'],
        [[...EDIT, ['image', blob()], ['n', '0']], 400, 'n'],
        [[...EDIT, ['image', blob()], ['size', 'large']], 400, 'size'],
        [[...EDIT, ...Array.from({ length: 18 }, () => ['image[]', blob()] as const)], 400, 'body'],
        [[...EDIT, ...Array.from({ length: 40 }, (_, at) => [`f${at}`, 'x'] as const)], 400, 'body'],
        [[['model', 'nothing'], EDIT[1], ['image', blob()]], 404, 'model'],
        [[['model', 'plain'], EDIT[1], ['image', blob()]], 404, 'model'],
      ];
      for (const [fields, status, param] of cases) {
        const answer = await sendEdit(fields);
        expect([answer.status, answer.failure.detail.param]).toEqual([status, param]);
      }
    });

    it('are known again by their Idempotency-Key, whatever their boundary', async () => {
      const headers = { 'idempotency-key': `edit-${Date.now()}` };
      const first = await sendEdit([...EDIT, ['image', blob()]], headers);
      const calls = get().upstream.calls.length;
      const second = await sendEdit([...EDIT, ['image', blob()]], headers);
      expect([second.status, second.text]).toEqual([200, first.text]);
      expect(get().upstream.calls).toHaveLength(calls);
      expect((await sendEdit([...EDIT, ['image', blob()], ['n', '2']], headers)).status).toBe(409);
    });

    it('without a key are turned away, and those of another type', async () => {
      const { status } = await sendEdit([...EDIT, ['image', blob()]], {
        authorization: 'Bearer sk-0000000000000000',
      });
      expect(status).toBe(401);
      const headers = { authorization: `Bearer ${KEYS.main}`, 'content-type': 'text/plain' };
      const text = await request(get(), '/v1/images/edits', { method: 'POST', headers, body: 'x' });
      expect(text.status).toBe(415);
      const half = { ...headers, 'content-type': 'multipart/form-data; boundary=edge' };
      const cut = await request(get(), '/v1/images/edits', {
        method: 'POST',
        headers: half,
        body: '--edge\r\n',
      });
      expect([cut.status, cut.failure.detail.param]).toEqual([400, 'body']);
    });

    it('whose senders leave or never end hold neither memory nor money', async () => {
      const sockets = Array.from({ length: ABORTED_UPLOADS }, () => openUpload('content-length: 3000000'));
      for (const socket of sockets) socket.write(Buffer.concat([PNG, Buffer.alloc(100_000)]));
      await waitUntil(
        'uploads',
        async () => (await readGauge(get(), 'gateway_request_body_bytes')) > 1_000_000,
      );
      for (const socket of sockets) socket.destroy();
      const endless = openUpload('transfer-encoding: chunked');
      endless.write(`${PNG.length.toString(16)}\r\n`);
      endless.write(Buffer.concat([PNG, Buffer.from('\r\n')]));
      const flood = () => {
        if (!endless.destroyed && endless.write(`10000\r\n${'x'.repeat(65_536)}\r\n`)) setImmediate(flood);
      };
      endless.on('drain', flood);
      flood();
      await waitUntil('the cut', () => endless.destroyed, 15_000);
      await waitUntil(
        'no bytes held',
        async () => (await readGauge(get(), 'gateway_request_body_bytes')) === 0,
      );
      const console = await ConsoleClient.asAdmin(get());
      await waitUntil('no money held', async () => (await console.findWallet('main')).held === '0');
      expect((await sendEdit([...EDIT, ['image', blob()]])).status).toBe(200);
    });

    it('are answered before they are whole when their key is wrong, and take no memory', async () => {
      const socket = openUpload('content-length: 3000000', 'sk-0000000000000000');
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
      socket.write('x'.repeat(500_000));
      await waitUntil('the answer', () => received.includes('invalid_api_key'));
      expect(received).toContain('401 Unauthorized');
      expect(await readGauge(get(), 'gateway_request_body_bytes')).toBe(0);
      socket.destroy();
    });

    function openUpload(length: string, key: string = KEYS.main): Socket {
      const { hostname, port } = new URL(get().gatewayUrl);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.resume();
      const head = [
        'POST /v1/images/edits HTTP/1.1',
        'host: gateway',
        `authorization: Bearer ${key}`,
        'content-type: multipart/form-data; boundary=edge',
        length,
      ];
      const part = '--edge\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n';
      const chunk = length.startsWith('transfer') ? `${part.length.toString(16)}\r\n${part}\r\n` : part;
      socket.write(`${head.join('\r\n')}\r\n\r\n${chunk}`);
      return socket;
    }
  });
}
