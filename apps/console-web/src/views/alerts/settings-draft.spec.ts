import { describe, expect, it } from 'vitest';
import { toAlertBody, toAlertDraft } from './settings-draft.js';

const rules = {
  channel_failing: { enabled: true, failed: 5 },
  wallet_balance: { enabled: false, below: '2.50' },
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
const draft = toAlertDraft(settings);

describe('alert settings in a form', () => {
  it('are sent as they were, and the addresses, which nobody is shown, not at all', () => {
    const { webhook: _webhook, email: _email, ...rest } = settings;
    expect(toAlertBody(draft)).toEqual({ ...rest, webhook_url: undefined, smtp_url: undefined });
  });

  it('take an address away, unless another is written', () => {
    const dropping = { ...draft, dropsWebhook: true, dropsEmail: true };
    expect(toAlertBody(dropping)).toMatchObject({ webhook_url: null, smtp_url: null });
    const written = { ...dropping, webhookUrl: ' https://b.example.com/hook ' };
    expect(toAlertBody(written)).toMatchObject({ webhook_url: 'https://b.example.com/hook' });
  });

  it('leave it to the API to say what is wrong with a figure', () => {
    const thresholds = { channel_failing: 'many', wallet_balance: ' 3 ', queue_age: '' };
    const body = toAlertBody({ ...draft, thresholds });
    expect(body.rules).toMatchObject({
      channel_failing: { failed: Number.NaN },
      wallet_balance: { below: '3' },
      queue_age: { seconds: Number.NaN },
    });
  });

  it('send to every administrator where nobody is named', () => {
    const nobody = { ...draft, emailFrom: ' ', emailTo: ' , ' };
    expect(toAlertBody(nobody)).toMatchObject({ email_from: null, email_to: [] });
  });
});
