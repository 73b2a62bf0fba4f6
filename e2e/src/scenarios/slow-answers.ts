import { describe, expect, it } from 'vitest';
import { ask, BILLED, endpointOf } from '../../spec/endpoints.js';
import { BILLED_KINDS, slugWhere } from '../deployment/conditions.js';
import type { Deployment } from '../deployment/deployment.js';

const STREAMS = new Set(['stream-generate']);
const ANSWERED_AT_ONCE = BILLED.filter(({ name }) => BILLED_KINDS[name] !== 'video' && !STREAMS.has(name));

/** Models that take longer than their channel's `first_byte`, which bounds streams and nothing else. */
export function describeSlowAnswers(get: () => Deployment): void {
  describe('clients 2: answers that take longer than first_byte', () => {
    it('come whole, at every endpoint', async () => {
      const statuses = await Promise.all(
        ANSWERED_AT_ONCE.map(async (endpoint) => {
          const { status } = await ask(get(), endpoint, { model: slugWhere(endpoint.name, 'slow') });
          return [endpoint.name, status];
        }),
      );
      expect(statuses).toEqual(ANSWERED_AT_ONCE.map(({ name }) => [name, 200]));
    });

    it('are cut as streams, for then the next channel may be asked', async () => {
      const order = { model: slugWhere('chat', 'slow'), fields: { stream: true } };
      const answer = await ask(get(), endpointOf(2), order);
      expect(answer.status).toBe(502);
      expect(answer.failure.detail.message).toContain('no event of its stream came within 300 ms');
    });
  });
}
