import { describe, expect, it } from 'vitest';
import { budgetsSchema, limitsSchema, toBudgetTexts, toLimitTexts } from './limits-schema.js';

const TOKEN = {
  limits: { rpm: 60, tpm: 100_000 },
  budgets: { day: '1.50', timezone: 'Europe/Berlin' },
};

describe('limits in a form', () => {
  it('are empty where nothing is limited, and nothing is sent of them', () => {
    expect(limitsSchema.parse(toLimitTexts(undefined))).toEqual({});
    expect(budgetsSchema.parse(toBudgetTexts(undefined))).toEqual({});
  });

  it('come back as they were', () => {
    expect(limitsSchema.parse(toLimitTexts(TOKEN))).toEqual(TOKEN.limits);
    expect(budgetsSchema.parse(toBudgetTexts(TOKEN))).toEqual(TOKEN.budgets);
  });

  it('may be written with spaces', () => {
    const written = { ...toLimitTexts(undefined), rpm: ' 60 ', rpd: ' ' };
    expect(limitsSchema.parse(written)).toEqual({ rpm: 60 });
  });
});
