import { describe, expect, it } from 'vitest';
import { request } from '../src/clients/gateway-client.js';
import { KEYS, SECRETS } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';
import { ask, endpointOf, GENERIC_VIDEO, NATIVE_VIDEO, pathOf, POLLS, send, TWELVE } from './endpoints.js';
import { expectFailure } from './expect-failure.js';
import { pollVideo } from './videos.js';

const METRICS_KEY = { authorization: `Bearer ${SECRETS.metrics}` };

/** Ways to ask for a stream of generateContent (rule 3), and whether each does. */
const STREAM_FLAGS = [
  { query: '?stream=true', fields: {}, streams: true },
  { query: '', fields: { stream: true }, streams: true },
  { query: '?stream=false', fields: {}, streams: false },
  { query: '', fields: { stream: false }, streams: false },
  { query: '', fields: {}, streams: false },
] as const;

/** What a poll may be asked with; whatever it is, nothing but 200, 401, 502 and 503 may come of it (rule 8). */
const STRANGE_POLLS = [
  '/no-such-task',
  '/task_00000000000000000000000000000000',
  '/cgt-20250101000000-xxxxx',
  '/%00',
  "/'%20or%20'1'='1",
  '/..%2f..%2fetc%2fpasswd',
  `/${'x'.repeat(250)}`,
  '/no-such-task?model=no-such-model',
  '/no-such-task?model=plain&model=flat',
  '/no-such-task?unknown=1',
  '/00000000-0000-7000-8000-000000000000',
] as const;

/** Specification, section 4: the twelve endpoints and their rules. */
export function describeEndpoints(get: () => Deployment): void {
  describe('section 4, endpoints', () => {
    it('4: endpoint 1 is GET /metrics, 200, a text in an exposition format', async () => {
      const answer = await request(get(), '/metrics', { headers: METRICS_KEY });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
      expect(answer.text).toMatch(/^# TYPE \w+ (counter|gauge|histogram)$/m);
    });

    it.each(TWELVE)('4: endpoint $number is POST $path, 200, JSON', async (endpoint) => {
      const answer = await ask(get(), endpoint);
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    });

    it.each(POLLS)('4: endpoint $number is GET $path/{task_id}, 200, JSON', async ({ number, path }) => {
      const made = await ask(get(), endpointOf(number - 1));
      const { id } = JSON.parse(made.text) as { id: string };
      for (const query of ['', '?model=slow-video-succeeds', '?model=no-such-model']) {
        const answer = await send(get(), 'GET', `${path}/${id}${query}`);
        expect([query, answer.status]).toEqual([query, 200]);
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      }
    });

    it.each(TWELVE)('4: endpoint $number takes no other method than POST', async (endpoint) => {
      const path = pathOf(endpoint, 'plain');
      for (const method of ['PUT', 'PATCH']) {
        const answer = await send(get(), method, path);
        expect([method, answer.status, typeof answer.failure.detail.code]).toEqual([method, 405, 'string']);
      }
    });

    it.each([2, 3])('4, rule 3: endpoint %i streams when stream is true', async (number) => {
      const answer = await ask(get(), endpointOf(number), { fields: { stream: true } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    });

    it.each(STREAM_FLAGS)(
      '4, rule 3: endpoint 4 with "$query" and $fields streams: $streams',
      async (row) => {
        const answer = await ask(get(), endpointOf(4), { query: row.query, fields: row.fields });
        expect(answer.status).toBe(200);
        const type = row.streams ? /^text\/event-stream/ : /^application\/json/;
        expect(answer.headers.get('content-type')).toMatch(type);
      },
    );

    it('4, rule 4: endpoint 10 requires a channel of type videonative', async () => {
      const endpoint = endpointOf(10);
      const answer = await ask(get(), endpoint, { model: 'video-generic' });
      expectFailure(answer, 'openai', { status: 503, code: 'upstream_unavailable' });
      expect(answer.failure.detail.message).toContain('videonative');
    });

    it('4, rules 5 and 6: the id that a creation answers is what is polled, by its own API alone', async () => {
      const ids = [];
      for (const number of [8, 10]) {
        const made = await ask(get(), endpointOf(number), { key: KEYS.videos });
        ids.push((JSON.parse(made.text) as { id: string }).id);
      }
      const [generic = '', native = ''] = ids;
      expect((await pollVideo(get(), `${GENERIC_VIDEO}/${generic}`)).id).toBe(generic);
      expect((await pollVideo(get(), `${NATIVE_VIDEO}/${native}`)).id).toBe(native);
      for (const path of [`${GENERIC_VIDEO}/${native}`, `${NATIVE_VIDEO}/${generic}`]) {
        const answer = await request(get(), path, { headers: { authorization: `Bearer ${KEYS.videos}` } });
        expectFailure(answer, 'openai', { status: 502, code: 'task_not_found' });
      }
    });

    it('4, rule 7: a creation tells its cost, a poll has none', async () => {
      for (const { number, path } of POLLS) {
        const made = await ask(get(), endpointOf(number - 1));
        expect(Number(made.headers.get('x-gateway-cost'))).toBeGreaterThan(0);
        const { id } = JSON.parse(made.text) as { id: string };
        const poll = await send(get(), 'GET', `${path}/${id}`);
        expect(poll.headers.get('x-gateway-cost')).toBeNull();
        expect(JSON.parse(poll.text)).not.toHaveProperty('_gateway');
      }
    });

    it.each(POLLS)('4, rule 8: endpoint $number answers a strange poll with 502', async ({ path }) => {
      for (const end of STRANGE_POLLS) {
        const answer = await send(get(), 'GET', path + end);
        expect([end, answer.status, answer.failure.detail.code]).toEqual([end, 502, 'task_not_found']);
      }
    });
  });
}
