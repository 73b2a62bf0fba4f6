import { PassThrough } from 'node:stream';
import type { Task } from '@mg/contract';
import { deriveTaskKey, proveLink } from '@mg/protocols';
import { PassThroughs } from '@mg/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { FreeShares } from '../../access/fair-share.js';
import type { VideoGateway } from './video-context.js';
import { serveContent } from './serve-content.js';

it('a video that we alone can serve is on its way so often at the same time, and no more', async () => {
  const key = deriveTaskKey('a key for tests');
  const task = {
    state: 'succeeded',
    walletId: 'w',
    result: { url: 'https://example.com/a.mp4', stored: 'a.mp4' },
  } as unknown as Task;
  const bodies: PassThrough[] = [];
  const open = async () => {
    const body = new PassThrough();
    bodies.push(body);
    return { status: 200, headers: {}, body };
  };
  const video = {
    key,
    tasks: { findLinked: async () => task },
    results: { open },
    served: new PassThroughs({ each: 2, total: 2 }),
  };
  const gateway = { video, shares: new FreeShares() } as unknown as VideoGateway;
  const query = proveLink('task_1', key, Date.now());
  const request = { params: { taskId: 'task_1' }, query, headers: {}, ip: '203.0.113.9' };
  const reply = { raw: { setTimeout: () => undefined } };
  for (const name of ['header', 'headers', 'code', 'send']) Object.assign(reply, { [name]: () => reply });
  const watch = () =>
    serveContent(request as unknown as FastifyRequest, reply as unknown as FastifyReply, gateway);
  await watch();
  await watch();
  await expect(watch()).rejects.toMatchObject({ code: 'rate_limited' });
  bodies[0]?.destroy();
  await expect.poll(watch).toBe(reply);
});
