import { describe, expect, it } from 'vitest';
import type { Token } from '../../api/console-api.js';
import { tokenSchema, toTokenTexts } from './token-schema.js';

const WALLET = '01a218de-c4e8-79f2-b31c-1cb5761217e5';

describe('a key in its form', () => {
  it('is one without bounds where nothing is written but its name', () => {
    expect(tokenSchema.parse({ ...toTokenTexts(undefined), name: ' new ' })).toEqual({
      name: 'new',
      allowed_models: null,
      allowed_ips: null,
      spending_quota: null,
      expires_at: null,
      cache: null,
      limits: {},
      budgets: {},
      enabled: true,
    });
  });

  it('comes back as it was', () => {
    const token = {
      name: 'a',
      wallet_id: WALLET,
      allowed_models: ['small', 'b/large'],
      allowed_ips: ['127.0.0.0/8', '::1'],
      spending_quota: '5',
      expires_at: '2027-01-01T00:00:00.000Z',
      cache: '60s',
      limits: { rpm: 60 },
      budgets: { day: '1.50' },
      disabled: true,
    };
    const { disabled, ...others } = token;
    expect(tokenSchema.parse(toTokenTexts(token as unknown as Token))).toEqual({
      ...others,
      enabled: !disabled,
    });
  });

  it('is told which fields are wrong', () => {
    const texts = toTokenTexts(undefined);
    const wrong = {
      ...texts,
      allowed_ips: '127.0.0.0/8, office',
      cache: 'long',
      budgets: { ...texts.budgets, day: 'some' },
    };
    expect(tokenSchema.safeParse(wrong).error?.issues).toMatchObject([
      { path: ['name'], message: 'required' },
      { path: ['allowed_ips'], message: 'no_network_address' },
      { path: ['cache'], message: 'no_duration' },
      { path: ['budgets', 'day'], message: 'no_amount' },
    ]);
  });
});
