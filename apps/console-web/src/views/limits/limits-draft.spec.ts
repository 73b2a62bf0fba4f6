import { describe, expect, it } from 'vitest';
import { toLimitsBody, toLimitsDraft } from './limits-draft.js';

describe('limits in a form', () => {
  it('are empty where nothing is limited, and nothing is sent of them', () => {
    expect(toLimitsBody(toLimitsDraft(undefined))).toEqual({ limits: {}, budgets: {} });
  });

  it('come back as they were', () => {
    const token = {
      limits: { rpm: 60, tpm: 100_000 },
      budgets: { day: '1.50', timezone: 'Europe/Berlin' },
    };
    expect(toLimitsBody(toLimitsDraft(token))).toEqual(token);
  });

  it('may be written with spaces', () => {
    const draft = toLimitsDraft({ limits: {}, budgets: {} });
    const written = { ...draft, limits: { ...draft.limits, rpm: ' 60 ', rpd: ' ' } };
    expect(toLimitsBody(written)).toEqual({ limits: { rpm: 60 }, budgets: {} });
  });
});
