import { createHash } from 'node:crypto';
import { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { catchApiError, createOpenAi, HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

/** Files in parts through the official SDK: begun, filled, put together, cancelled. */
export function describeFileUploads(get: () => Deployment): void {
  const client = (key: string = KEYS.batches) => createOpenAi(get(), key);
  const line = (id: string) =>
    `${JSON.stringify({
      custom_id: id,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'batched', messages: HELLO },
    })}\n`;
  const begin = (bytes: number, key?: string) =>
    client(key).uploads.create({ filename: 'in.jsonl', purpose: 'batch', bytes, mime_type: 'text/jsonl' });
  const addPart = async (uploadId: string, text: string, key?: string) =>
    client(key).uploads.parts.create(uploadId, { data: await toFile(Buffer.from(text), 'part') });

  describe("OpenAI's uploads", () => {
    it('become a file of the parts in the order of their completion, which a batch reads', async () => {
      const texts = ['one', 'two', 'three'].map(line);
      const whole = texts.join('');
      const upload = await begin(whole.length);
      expect(upload).toMatchObject({ object: 'upload', status: 'pending', bytes: whole.length, file: null });
      const parts = await Promise.all(texts.toReversed().map((text) => addPart(upload.id, text)));
      expect(parts[0]).toMatchObject({ object: 'upload.part', upload_id: upload.id });
      const before = await client().files.list();
      expect(before.data.map(({ id }) => id)).not.toContain(parts[0]?.id);
      const order = { part_ids: parts.map(({ id }) => id).toReversed() };
      const md5 = createHash('md5').update(whole).digest('hex');
      const done = await client().uploads.complete(upload.id, { ...order, md5 });
      expect(done).toMatchObject({ status: 'completed', file: { purpose: 'batch', bytes: whole.length } });
      const fileId = done.file?.id ?? '';
      expect(await (await client().files.content(fileId)).text()).toBe(whole);
      const again = await client().uploads.complete(upload.id, order);
      expect(again.file?.id).toBe(fileId);
      const batch = await client().batches.create({
        input_file_id: fileId,
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
      });
      expect(batch.input_file_id).toBe(fileId);
      await client().batches.cancel(batch.id);
    });

    it('that do not agree with their parts go on until they do', async () => {
      const upload = await begin(3);
      const part = await addPart(upload.id, 'abc');
      const fail = (body: { part_ids: string[]; md5?: string }) =>
        catchApiError(client().uploads.complete(upload.id, body));
      expect(await fail({ part_ids: ['part_0'] })).toMatchObject({ status: 400, param: 'part_ids[0]' });
      expect(await fail({ part_ids: [part.id, part.id] })).toMatchObject({ status: 400, param: 'part_ids' });
      const more = await addPart(upload.id, 'd');
      expect(await fail({ part_ids: [part.id, more.id] })).toMatchObject({ status: 400, param: 'part_ids' });
      expect(await fail({ part_ids: [part.id], md5: '0'.repeat(32) })).toMatchObject({ param: 'md5' });
      const done = await client().uploads.complete(upload.id, { part_ids: [part.id] });
      expect(done.file?.bytes).toBe(3);
    });

    it('that are cancelled take no more parts, and none are there for another wallet', async () => {
      const upload = await begin(3);
      await addPart(upload.id, 'abc');
      const foreign = [
        () => client(KEYS.main).uploads.complete(upload.id, { part_ids: ['part_0'] }),
        () => client(KEYS.main).uploads.cancel(upload.id),
        () => addPart(upload.id, 'abc', KEYS.main),
      ];
      for (const call of foreign) {
        expect(await catchApiError(call())).toMatchObject({ status: 404, param: 'upload_id' });
      }
      expect(await client().uploads.cancel(upload.id)).toMatchObject({ status: 'cancelled' });
      expect(await client().uploads.cancel(upload.id)).toMatchObject({ status: 'cancelled' });
      expect(await catchApiError(addPart(upload.id, 'abc'))).toMatchObject({ status: 409 });
    });

    it('are refused by the name of the field', async () => {
      const valid = { filename: 'a', purpose: 'batch', bytes: 3, mime_type: 'text/jsonl' };
      const send = async (body: object) =>
        (
          await request(get(), '/v1/uploads', {
            method: 'POST',
            headers: { authorization: `Bearer ${KEYS.batches}`, 'content-type': 'application/json' },
            body: JSON.stringify({ ...valid, ...body }),
          })
        ).failure.detail.param;
      expect(await send({ bytes: 201 * 1024 * 1024 })).toBe('bytes');
      expect(await send({ bytes: 0 })).toBe('bytes');
      expect(await send({ purpose: 'fine-tune' })).toBe('purpose');
      expect(await send({ filename: undefined })).toBe('filename');
      expect(await send({ mime_type: 7 })).toBe('mime_type');
      const { id } = await begin(3);
      const form = new FormData();
      form.append('data', new Blob(['abc']), 'part');
      form.append('purpose', 'batch');
      const odd = await request(get(), `/v1/uploads/${id}/parts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEYS.batches}` },
        body: form,
      });
      expect([odd.status, odd.failure.detail.param]).toEqual([400, 'purpose']);
    });
  });
}
