import type { FastifyReply, FastifyRequest } from 'fastify';

const MAX_DRAINED_BYTES = 256 * 1024 * 1024;
const MAX_DRAIN_MS = 5_000;

/**
 * Reads and forgets the rest of a body that was refused, within bounds: a client that is still sending does not read, and
 * would see a broken connection instead of the answer that says why. One that sends on and on is cut after the answer. A body
 * that nobody has begun to read is answered at once: Node throws it away.
 */
export async function drainBody({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (raw.readableFlowing === null || raw.complete || raw.destroyed) return;
  await new Promise<void>((resolve) => {
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
  if (!raw.complete) reply.header('connection', 'close');
}
