import { describe, expect, it } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { SECRETS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

/** What operators and load balancers ask. */
export function describeService(get: () => Deployment): void {
  describe('service endpoints', () => {
    it('say that every plane is alive and ready, without a key', async () => {
      for (const url of get().healthUrls) {
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
      }
    });

    it('serve metrics to those who have the token', async () => {
      expect((await request(get(), '/metrics')).status).toBe(401);
      const wrong = { headers: { authorization: 'Bearer wrong' } };
      expect((await request(get(), '/metrics', wrong)).status).toBe(401);
      const right = { headers: { authorization: `Bearer ${SECRETS.metrics}` } };
      const answer = await request(get(), '/metrics', right);
      expect(answer.status).toBe(200);
      expect(answer.text).toMatch(/^# HELP /m);
    });

    it('describe the API', async () => {
      const description = await request(get(), '/openapi.json');
      expect(JSON.parse(description.text)).toMatchObject({
        openapi: expect.stringMatching(/^3\./),
        paths: { '/v1/chat/completions': { post: expect.anything() } },
      });
      const docs = await request(get(), '/docs');
      expect(docs.status).toBe(200);
      expect(docs.headers.get('content-type')).toContain('text/html');
    });
  });
}
