import { describe, expect, it } from 'vitest';
import { enFaults } from './en-faults.js';
import { fault, sayFault } from './say-fault.js';
import { zhRefusals } from './zh-refusals.js';

describe('what is wrong with a field', () => {
  it('is said in both languages, with its value', () => {
    expect(sayFault(fault('too_short', '8'), 'en')).toBe('Must be at least 8 characters long.');
    expect(sayFault(fault('too_short', '8'), 'zh')).toBe('至少需要 8 个字符。');
    expect(sayFault(fault('required'), 'zh')).toBe('必填。');
  });

  it('has as many values in English as in Chinese', () => {
    const slots = (text: string) => text.match(/\{\d\}/g) ?? [];
    for (const [reason, words] of Object.entries(enFaults)) {
      expect([reason, slots(words)]).toEqual([reason, slots(zhRefusals[reason as keyof typeof enFaults])]);
    }
  });
});
