import { describe, expect, it } from 'vitest';
import { postChat } from './clients/gateway-client.js';
import { HELLO } from './clients/openai-client.js';
import { splitPlanes } from './deployment/split-planes.js';

describe('planes that start before their database has a schema', () => {
  it('wait until it has been migrated, and then serve', async () => {
    const deployment = await splitPlanes.start();
    const answer = await postChat(deployment, { model: 'plain', messages: HELLO });
    const codes = await deployment.stop();
    expect(answer.status).toBe(200);
    expect(new Set(Object.values(codes))).toEqual(new Set([0]));
  });
});
