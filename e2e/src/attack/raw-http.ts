import { connect } from 'node:net';

const PATIENCE_MS = 3_000;

/** Sends bytes over a bare socket and answers all that came back until it closed or fell silent. */
export async function exchangeBytes(address: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let reply = '';
  socket.on('data', (chunk: Buffer) => {
    reply += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  socket.end(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  await new Promise((resolve) => socket.on('close', resolve));
  return reply;
}

/** The statuses of all answers in a reply. */
export function listStatuses(reply: string): readonly number[] {
  return [...reply.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}
