import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS, SECRETS } from '../deployment/credentials.js';
import { waitUntil } from '../wait-until.js';
import type { Attack, AttackTarget } from './attack.js';

const READERS = { short: 30, full: 300 };
const HALF_REQUESTS = { short: 50, full: 500 };
const GROWTH_LIMIT_BYTES = { short: 96 * 1024 * 1024, full: 192 * 1024 * 1024 };
const BODY = JSON.stringify({ model: 'huge-answer', messages: HELLO, stream: true, max_tokens: 20_000 });

export const holdMemory: Attack = {
  threats: ['T27'],
  title: 'readers that never read and requests that never end cost little memory and nobody else an answer',
  timeoutMs: { short: 60_000, full: 120_000 },
  async run(target) {
    const { deployment, full } = target;
    const before = await readResidentBytes(target);
    const sockets = [
      ...openMany(target, full ? READERS.full : READERS.short, writeWholeRequest),
      ...openMany(target, full ? HALF_REQUESTS.full : HALF_REQUESTS.short, writeHalfRequest),
    ];
    try {
      await waitUntil('an answer beside them', async () => {
        return (await request(deployment, '/readyz')).status === 200;
      });
      const growth = (await readResidentBytes(target)) - before;
      target.say(`${sockets.length} silent connections: ${Math.round(growth / 1024 / 1024)} MB`);
      expect(growth).toBeLessThan(full ? GROWTH_LIMIT_BYTES.full : GROWTH_LIMIT_BYTES.short);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
};

function openMany(
  { deployment }: AttackTarget,
  count: number,
  write: (socket: Socket) => void,
): readonly Socket[] {
  const { hostname, port } = new URL(deployment.gatewayUrl);
  return Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.pause();
    write(socket);
    return socket;
  });
}

const HEAD = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEYS.main}\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n`;

function writeWholeRequest(socket: Socket): void {
  socket.write(HEAD + BODY);
}

function writeHalfRequest(socket: Socket): void {
  socket.write(HEAD + BODY.slice(0, BODY.length / 2));
}

async function readResidentBytes({ deployment }: AttackTarget): Promise<number> {
  const { text } = await request(deployment, '/metrics', {
    headers: { authorization: `Bearer ${SECRETS.metrics}` },
  });
  return Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}
