import { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { catchApiError, createOpenAi } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Fields that the SDK does not know, and sends as texts. */
const BEYOND_OPENAI = { fps: 24, seed: 7 };

/** The official SDK's videos, over the sandbox: made, polled, downloaded, listed and deleted. */
export function describeOpenAiVideos(get: () => Deployment): void {
  describe("OpenAI's video API", () => {
    it('makes a video through the official SDK, from a prompt and an image', async () => {
      const client = createOpenAi(get());
      const { data: made, response } = await client.videos
        .create({
          model: 'sandbox-video',
          prompt: 'a cat',
          seconds: '4',
          size: '1280x720',
          input_reference: await toFile(PIXEL, 'cat.png', { type: 'image/png' }),
          ...BEYOND_OPENAI,
        })
        .withResponse();
      expect(made).toMatchObject({ object: 'video', status: 'queued', seconds: '4', error: null });
      expect(Number(response.headers.get('x-gateway-cost'))).toBeGreaterThan(0);
      const running = await catchApiError(client.videos.delete(made.id));
      expect(running.status).toBe(409);
      const done = await waitUntil('the video', async () => {
        const video = await client.videos.retrieve(made.id);
        return video.status === 'completed' && video;
      });
      expect(done).toMatchObject({ id: made.id, progress: 100, completed_at: expect.any(Number) });
      const content = await client.videos.downloadContent(made.id);
      const bytes = Buffer.from(await content.arrayBuffer());
      expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
      const listed = await client.videos.list({ limit: 1 });
      expect(listed.data.map((video) => video.id)).toEqual([made.id]);
      expect(await client.videos.delete(made.id)).toMatchObject({ deleted: true });
      expect((await catchApiError(client.videos.retrieve(made.id))).status).toBe(404);
    });

    it('makes a remix of a video that is done, at the channel that made it, for what its source cost', async () => {
      const client = createOpenAi(get());
      const waitForEnd = (id: string) =>
        waitUntil('the video', async () => {
          const video = await client.videos.retrieve(id);
          return video.status === 'completed' && video;
        });
      const first = await client.videos
        .create({ model: 'video-generic', prompt: 'a cat', seconds: '8', size: '1920x1080' as '1280x720' })
        .withResponse();
      await waitForEnd(first.data.id);
      const { data: remix, response } = await client.videos
        .remix(first.data.id, { prompt: 'a cat at night' })
        .withResponse();
      expect(remix).toMatchObject({ object: 'video', seconds: '8', remixed_from_video_id: first.data.id });
      expect(remix.id).not.toBe(first.data.id);
      const cost = response.headers.get('x-gateway-cost');
      expect([cost, first.response.headers.get('x-gateway-cost')]).toEqual(['0.96', '0.96']);
      expect(await waitForEnd(remix.id)).toMatchObject({ remixed_from_video_id: first.data.id });
      const again = await client.videos.remix(remix.id, { prompt: 'a cat by day' });
      expect(await waitForEnd(again.id)).toMatchObject({ remixed_from_video_id: remix.id });
    });

    it('remixes nothing that is not done, that another wallet has, or whose channel makes no remixes', async () => {
      const client = createOpenAi(get());
      const made = await client.videos.create({ model: 'sandbox-video', prompt: 'a cat' });
      const early = await catchApiError(client.videos.remix(made.id, { prompt: 'a dog' }));
      expect(early).toMatchObject({ status: 400, param: 'video_id' });
      await waitUntil(
        'the video',
        async () => (await client.videos.retrieve(made.id)).status === 'completed',
      );
      const sandbox = await catchApiError(client.videos.remix(made.id, { prompt: 'a dog' }));
      expect(sandbox).toMatchObject({ status: 400, param: 'video_id' });
      expect(sandbox.message).toContain('type sandbox');
      const longer = { prompt: 'a dog', seconds: '12' };
      expect(await catchApiError(client.videos.remix(made.id, longer))).toMatchObject({ param: 'seconds' });
      const poor = createOpenAi(get(), KEYS.poor);
      const foreign = await catchApiError(poor.videos.remix(made.id, { prompt: 'a dog' }));
      expect(foreign).toMatchObject({ status: 404, param: 'video_id' });
    });

    it('refuses by the name of the field, and shows nobody the videos of others', async () => {
      const client = createOpenAi(get());
      const size = client.videos.create({
        model: 'sandbox-video',
        prompt: 'a cat',
        size: 'big' as '1280x720',
      });
      expect(await catchApiError(size)).toMatchObject({ status: 400, param: 'size' });
      const made = await client.videos.create({ model: 'sandbox-video', prompt: 'a cat' });
      expect(made.seconds).toBe('4');
      const poor = createOpenAi(get(), KEYS.poor);
      const unpaid = poor.videos.create({ model: 'sandbox-video', prompt: 'a cat' });
      expect((await catchApiError(unpaid)).status).toBe(402);
    });
  });
}
