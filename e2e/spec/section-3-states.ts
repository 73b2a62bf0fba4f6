import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../src/clients/console-client.js';
import { request } from '../src/clients/gateway-client.js';
import { SLOW_VIDEOS } from '../src/deployment/conditions.js';
import { KEYS } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';
import { SECOND_PRICE } from '../src/deployment/videos.js';
import { type VideoJob, pollVideo } from './videos.js';

/** The words of each API for the way of a task, and for its end. */
const WORDS = [
  { endpoint: 8, slug: 'slow-video-succeeds', way: ['queued', 'in_progress'], end: 'completed' },
  { endpoint: 8, slug: 'slow-video-fails', way: ['queued', 'in_progress'], end: 'failed' },
  { endpoint: 10, slug: 'slow-video-succeeds', way: ['queued', 'running'], end: 'succeeded' },
  { endpoint: 10, slug: 'slow-video-fails', way: ['queued', 'running'], end: 'failed' },
] as const;

const DEFAULT_SECONDS = 5;

/** Looks that the provider of these videos takes until they are over. */
const PROVIDER_POLLS = 3;

/** How often the provider was asked for each of the videos. */
function countPolls({ jobs }: Deployment): number[] {
  const names: readonly string[] = Object.values(SLOW_VIDEOS);
  return jobs.jobs.filter(({ model }) => names.includes(model)).map(({ polls }) => polls);
}

/** Specification, section 3: states and transitions. Its tasks have been on their way while other sections were asked. */
export function describeStates(
  get: () => Deployment,
  videos: () => Promise<readonly VideoJob[]>,
  lost: () => Promise<readonly string[]>,
): void {
  const find = async (endpoint: number, slug: string): Promise<VideoJob> => {
    const found = (await videos()).find((video) => video.endpoint === endpoint && video.slug === slug);
    if (!found) throw new Error(`no video of endpoint ${endpoint} is ${slug}`);
    return found;
  };

  describe('section 3, states', () => {
    it.each(WORDS)('3: endpoint $endpoint reports $way, then $end, and nothing else', async (row) => {
      const { created, words } = await find(row.endpoint, row.slug);
      expect(created.status).toBe('queued');
      expect(words).toEqual([...row.way, row.end]);
    });

    it('3: a success has its video, a failure its error and no video', async () => {
      for (const { endpoint, slug, last } of await videos()) {
        const url = endpoint === 8 ? last.video_url : last.content?.video_url;
        expect([endpoint, slug, url !== undefined]).toEqual([endpoint, slug, slug === 'slow-video-succeeds']);
        expect([endpoint, slug, last.error !== undefined]).toEqual([
          endpoint,
          slug,
          slug === 'slow-video-fails',
        ]);
      }
    });

    it('2.8: a poll of the generic API reports the task_id that was given at first', async () => {
      const { created, last } = await find(8, 'slow-video-succeeds');
      expect(last.task_id).toBe(created.task_id);
    });

    it('3: polling does not change a task: the provider is asked at its own pace, however often we are', async () => {
      for (const { polls, path } of await videos()) expect([path, polls > 20]).toEqual([path, true]);
      expect(countPolls(get())).toEqual(Array.from({ length: 4 }, () => PROVIDER_POLLS));
    });

    it('3: polling does not change a task: its last word stays', async () => {
      for (const { path, last } of await videos()) {
        for (let poll = 0; poll < 5; poll++) {
          const { id, status, error } = await pollVideo(get(), path);
          expect({ id, status, error }).toEqual({ id: last.id, status: last.status, error: last.error });
        }
      }
      expect(countPolls(get())).toEqual(Array.from({ length: 4 }, () => PROVIDER_POLLS));
    });

    it('contract 4: a poll answers from our own state, though the provider breaks every poll of ours', async () => {
      const paths = await lost();
      const arePolled = () =>
        get().jobs.jobs.flatMap(({ model, polls }) => (model === 'seedance-lost' ? [polls > 0] : []));
      await expect.poll(arePolled, { timeout: 20_000 }).toEqual([true, true]);
      for (const path of paths) expect((await pollVideo(get(), path)).status).toBe('queued');
    });

    it('3: polling is not billed', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const wallet = await console.findWallet('videos');
      const entries = await console.listEntries(wallet.id);
      const price = Number(SECOND_PRICE) * DEFAULT_SECONDS;
      for (const { path, slug, requestId } of await videos()) {
        const headers = { authorization: `Bearer ${KEYS.videos}` };
        const poll = await request(get(), path, { headers });
        expect(poll.headers.get('x-gateway-cost')).toBeNull();
        const own = entries.filter((entry) => entry.request_id === requestId);
        const amounts = own.map(({ amount }) => Number(amount)).sort();
        expect([slug, ...amounts]).toEqual(
          slug === 'slow-video-fails' ? [slug, -price, price] : [slug, -price],
        );
      }
      expect(await console.listEntries(wallet.id)).toHaveLength(entries.length);
    });
  });
}
