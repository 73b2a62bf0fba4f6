import type { FastifyRequest } from 'fastify';

const MAX_DRAINED_BYTES = 256 * 1024 * 1024;
const MAX_DRAIN_MS = 10_000;

/**
 * Reads and forgets the rest of a body that is refused for its size, within bounds: a client that is still sending
 * does not read, and would see a broken connection instead of the answer that says why.
 */
export function drainBody({ raw }: FastifyRequest): Promise<void> {
  return new Promise((resolve) => {
    let drained = 0;
    const timer = setTimeout(resolve, MAX_DRAIN_MS);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    raw.on('data', (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > MAX_DRAINED_BYTES) finish();
    });
    raw.once('end', finish);
    raw.once('close', finish);
    raw.once('error', finish);
    raw.resume();
    if (raw.readableEnded || raw.destroyed) finish();
  });
}
