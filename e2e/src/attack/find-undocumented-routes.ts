import { expect } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack, AttackTarget } from './attack.js';

/** Routes of other gateways, of frameworks, and of earlier versions of APIs. */
const GUESSES = [
  '/v1/proxy/https://example.com',
  '/v1/engines',
  '/v1/engines/plain/completions',
  '/v1/files',
  '/v1/fine_tuning/jobs',
  '/v1/assistants',
  '/v2/chat/completions',
  '/dashboard/billing/usage',
  '/dashboard/billing/subscription',
  '/v1/dashboard/billing/usage',
  '/docs-json',
  '/docs-yaml',
  '/docs/json',
  '/api-json',
  '/swagger',
  '/admin',
  '/key/generate',
  '/user/info',
  '/config.yaml',
  '/.env',
  '/debug/pprof',
  '/actuator/env',
  '/server-status',
  '/graphql',
  '/api/status',
];

export const findUndocumentedRoutes: Attack = {
  threats: ['T32'],
  title: 'what answers stands in the OpenAPI document',
  async run(target) {
    const documented = await listDocumentedPaths(target);
    for (const path of GUESSES.filter((guess) => !documented.has(guess))) {
      for (const method of ['GET', 'POST']) {
        const { status } = await request(target.deployment, path, {
          method,
          headers: { authorization: `Bearer ${KEYS.main}` },
        });
        expect([404, 405], `${method} ${path}`).toContain(status);
      }
    }
  },
};

async function listDocumentedPaths({ deployment }: AttackTarget): Promise<ReadonlySet<string>> {
  const { text } = await request(deployment, '/openapi.json');
  return new Set(Object.keys((JSON.parse(text) as { paths: object }).paths));
}
