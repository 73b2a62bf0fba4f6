import { GatewayError, newId } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { leaseOpenSchema, leaseReturnSchema } from './lease-messages.js';
import { heartbeatSchema, holdOpenSchema, readMessage, topUpSchema, walletOpenSchema } from './messages.js';

const hold = {
  id: newId(),
  wallet_id: newId(),
  token_id: newId(),
  model: 'm',
  price_version_id: newId(),
  wanted: '9007199254740993',
  minimum: '0',
  ttl_seconds: 60,
  owner_instance: 'gateway-1',
  owner_epoch: 'a',
};

describe('messages', () => {
  it('are read exactly: amounts beyond what a float can hold stay whole', () => {
    expect(readMessage(holdOpenSchema, { holds: [hold] })[0]).toMatchObject({
      wanted: 9_007_199_254_740_993n,
      minimum: 0n,
      owner: { instance: 'gateway-1', epoch: 'a' },
    });
  });

  const topUp = { wallet_id: newId(), amount: '1', note: '', idempotency_key: 'k' };
  const wallet = { id: newId(), name: 'w', user_id: null, opening_balance: '0' };

  const lease = { id: newId(), wallet_id: newId(), token_id: newId() };
  const asked = { ...lease, wanted: '2', worst: '1', ttl_seconds: 1_200 };
  const owner = { instance: 'gateway/1', epoch: 'a' };

  it.each([
    ['nothing', holdOpenSchema, undefined, /expected object/],
    ['no holds', holdOpenSchema, { holds: [] }, /^holds: /],
    [
      'more holds than a message carries',
      holdOpenSchema,
      { holds: Array.from({ length: 129 }, () => hold) },
      /^holds: /,
    ],
    ['a number for an amount', holdOpenSchema, { holds: [{ ...hold, wanted: 5 }] }, /^holds\[0\]\.wanted: /],
    ['a fraction', holdOpenSchema, { holds: [{ ...hold, wanted: '0.5' }] }, /^holds\[0\]\.wanted: /],
    ['a negative hold', holdOpenSchema, { holds: [{ ...hold, minimum: '-1' }] }, /^holds\[0\]\.minimum: /],
    ['an amount that overflows', topUpSchema, { ...topUp, amount: '9'.repeat(19) }, /^amount: /],
    ['an id that is none', holdOpenSchema, { holds: [{ ...hold, id: "'; drop" }] }, /^holds\[0\]\.id: /],
    ['an unknown field', topUpSchema, { ...topUp, balance: '1' }, /^balance: /],
    ['a top-up of nothing', topUpSchema, { ...topUp, amount: '-0' }, /^amount: must not be zero/],
    ['an opening debt', walletOpenSchema, { ...wallet, opening_balance: '-1' }, /^opening_balance: /],
    ['a heartbeat of nobody', heartbeatSchema, { instance: '', epoch: 'a' }, /^instance: /],
    ['no leases', leaseOpenSchema, { ...owner, leases: [] }, /^leases: /],
    [
      'more leases than a message carries',
      leaseOpenSchema,
      { ...owner, leases: Array.from({ length: 65 }, () => asked) },
      /^leases: /,
    ],
    [
      'a lease for ever',
      leaseOpenSchema,
      { ...owner, leases: [{ ...asked, ttl_seconds: 90_000 }] },
      /^leases\[0\]\.ttl_seconds: /,
    ],
    [
      'a negative return',
      leaseReturnSchema,
      { ...owner, leases: [{ ...lease, amount: '-1', final: true }] },
      /^leases\[0\]\.amount: /,
    ],
    [
      'more renewals than a message carries',
      heartbeatSchema,
      { instance: 'g', epoch: 'a', renew: Array.from({ length: 501 }, () => newId()) },
      /^renew: /,
    ],
  ])('with %s are refused in a sentence that names the field', (_name, schema, payload, message) => {
    expect(() => readMessage(schema, payload)).toThrow(
      expect.objectContaining({
        name: GatewayError.name,
        code: 'invalid_request',
        message: expect.stringMatching(message),
      }),
    );
  });
});
