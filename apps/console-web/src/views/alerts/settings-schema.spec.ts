import { describe, expect, it } from 'vitest';
import { type AlertTexts, alertSchema, toAlertTexts } from './settings-schema.js';

const rules = {
  channel_failing: { enabled: true, failed: 5 },
  wallet_balance: { enabled: true, below: '2.50' },
  budget: { enabled: true },
  ledger_drift: { enabled: true },
  queue_age: { enabled: true, seconds: 60 },
};
const settings = {
  rules,
  webhook: { source: 'console', address: 'https://alerts.example.com' },
  email: null,
  email_from: 'gateway@example.com',
  email_to: ['a@example.com', 'b@example.com'],
} as const;
const texts = toAlertTexts(settings);
const read = (written: AlertTexts) => alertSchema(written).safeParse(written);

describe('alert settings in a form', () => {
  it('are sent as they were, and the addresses, which nobody is shown, not at all', () => {
    const { webhook: _webhook, email: _email, ...rest } = settings;
    expect(read(texts).data).toEqual({ ...rest, webhook_url: undefined, smtp_url: undefined });
  });

  it('take an address away, unless another is written', () => {
    const dropping = { ...texts, drops_webhook: true, drops_email: true };
    expect(read(dropping).data).toMatchObject({ webhook_url: null, smtp_url: null });
    const written = { ...dropping, webhook_url: ' https://b.example.com/hook ' };
    expect(read(written).data).toMatchObject({ webhook_url: 'https://b.example.com/hook' });
  });

  it('are told what is wrong with a figure and an address', () => {
    const wrong = {
      ...texts,
      rules: { ...texts.rules, channel_failing: { enabled: true, failed: 'many' } },
      webhook_url: 'ftp://b.example.com',
      email_to: 'a@example.com, b',
    };
    expect(read(wrong).error?.issues).toMatchObject([
      { path: ['rules', 'channel_failing', 'failed'], message: 'not_a_whole_number' },
      { path: ['webhook_url'], message: 'no_webhook_address' },
      { path: ['email_to'], message: 'no_email' },
    ]);
  });

  it('leave a figure as it is while its rule is off', () => {
    const off = { ...texts.rules, queue_age: { enabled: false, seconds: 'unseen' } };
    expect(read({ ...texts, rules: off }).data?.rules).toMatchObject({
      queue_age: { enabled: false, seconds: undefined },
    });
  });

  it('send to every administrator where nobody is named', () => {
    const nobody = { ...texts, email_from: ' ', email_to: ' , ' };
    expect(read(nobody).data).toMatchObject({ email_from: null, email_to: [] });
  });
});
