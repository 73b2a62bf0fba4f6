import type { CallerToken } from '@mg/contract';
import { expect, it } from 'vitest';
import type { ClientConnection } from '../edge/client-connection.js';
import { CallRecord } from './call-record.js';
import { relaySubmitted } from './relay.js';

it('a call that a worker has taken says where it went, as every billed answer does', () => {
  const record = new CallRecord('r1', '/v1/videos', { isAdministrator: true } as CallerToken);
  record.describe({ model: 'alias', stream: false });
  record.resolve('video-model');
  record.channel = 'studio';
  record.attempts.push({ channel: 'studio', outcome: 'served', status: 200, latency_ms: 3, reason: 'taken' });
  record.cost = 250_000_000n;
  const sent: object[] = [];
  const client = { send: (headers: object) => void sent.push(headers) } as unknown as ClientConnection;
  relaySubmitted({ bytes: Buffer.from('{}'), dropped: 'seed' }, record, client);
  expect(sent).toMatchObject([
    {
      'x-request-id': 'r1',
      'x-gateway-cost': '0.25',
      'x-gateway-latency-ms': expect.any(String),
      'x-gateway-model': 'video-model',
      'x-gateway-attempts': '1',
      'x-gateway-channel': 'studio',
      'x-gateway-dropped': 'seed',
    },
  ]);
});
