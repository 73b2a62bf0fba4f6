import { describe, expect, it } from 'vitest';
import { postChat } from './clients/gateway-client.js';
import { HELLO } from './clients/openai-client.js';
import { readGauge } from './clients/read-gauge.js';
import type { Deployment } from './deployment/deployment.js';
import { splitPlanes } from './deployment/split-planes.js';
import { waitUntil } from './wait-until.js';

const LEASED_CALLS = 'gateway_admissions_total\\{by="lease"[^}]*\\}';
const LEASED_WITHIN_MS = 30_000;
const CALLS_AT_ONCE = 8;

const ask = (deployment: Deployment) => postChat(deployment, { model: 'plain', messages: HELLO });

describe('planes that start before their database has a schema', () => {
  it('wait until it has been migrated, and then serve, from leases too, with no more rights than their own', async () => {
    const deployment = await splitPlanes.start();
    const answer = await ask(deployment);
    await waitUntil(
      'a call is admitted from a lease',
      async () => {
        await Promise.all(Array.from({ length: CALLS_AT_ONCE }, () => ask(deployment)));
        return (await readGauge(deployment, LEASED_CALLS)) > 0;
      },
      LEASED_WITHIN_MS,
    );
    const codes = await deployment.stop();
    expect(answer.status).toBe(200);
    const killed = Object.entries(codes).filter(([, code]) => code !== 0);
    const lines = deployment.readOutput().split('\n');
    const said = lines.filter((line) => killed.some(([name]) => line.includes(`"plane":"${name}"`)));
    expect({ killed, said: said.slice(-20) }).toEqual({ killed: [], said: [] });
  });
});
