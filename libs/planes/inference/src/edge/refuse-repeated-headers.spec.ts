import { type AddressInfo, connect } from 'node:net';
import { GatewayError } from '@mg/contract';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refuseRepeatedHeaders } from './refuse-repeated-headers.js';

describe('headers that have one value', () => {
  let server: FastifyInstance;

  beforeAll(async () => {
    server = fastify({ forceCloseConnections: true });
    server.addHook('onRequest', refuseRepeatedHeaders);
    server.setErrorHandler((error, _request, reply) => {
      const shown = error instanceof GatewayError ? error : undefined;
      return reply.code(shown?.status ?? 500).send(shown?.param);
    });
    server.get('/', () => 'served');
    await server.listen({ port: 0, host: '127.0.0.1' });
  });

  afterAll(() => server.close());

  /** Status and body of a request with these header lines, as they stand on the wire. */
  async function ask(...lines: string[]): Promise<[number, string]> {
    const { port } = server.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\n${['connection: close', ...lines].join('\r\n')}\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return [Number(text.slice(9, 12)), text.split('\r\n\r\n')[1] ?? ''];
  }

  it.each([
    ['host', 'Host: b'],
    ['authorization', 'Authorization: Bearer sk-a', 'authorization: Bearer sk-b'],
    ['x-api-key', 'X-Api-Key: sk-a', 'x-api-key: sk-a'],
    ['x-goog-api-key', 'x-goog-api-key: sk-a', 'x-goog-api-key: sk-b'],
    ['content-type', 'content-type: application/json', 'content-type: multipart/form-data'],
    ['idempotency-key', 'idempotency-key: a', 'idempotency-key: b'],
  ])('are refused as %s when they come twice', async (name, ...lines) => {
    expect(await ask('host: a', ...lines)).toEqual([400, name]);
  });

  it('may be different ones, and others may come often', async () => {
    const lines = ['authorization: Bearer sk-a', 'x-api-key: sk-b', 'anthropic-beta: a', 'anthropic-beta: b'];
    expect(await ask('host: a', ...lines)).toEqual([200, 'served']);
  });
});
