import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RefusalReason } from '../api/answer.js';
import { sayReasonInChinese } from './say-reason.js';
import { zhRefusals } from './zh-refusals.js';

const REASONS = join(import.meta.dirname, '../../../../libs/contract/src/refusals.ts');

/** Every reason with the words of the API. */
function listReasons(): (readonly [string, string])[] {
  const text = readFileSync(REASONS, 'utf8');
  return [...text.matchAll(/^ {2}(\w+):\s+(['"])(.+)\2,$/gm)].map(([, reason = '', , words = '']) => [
    reason,
    words,
  ]);
}

describe('refusals of the API in Chinese', () => {
  it('are there for every reason, with its values', () => {
    const reasons = listReasons();
    expect(reasons.length).toBeGreaterThan(100);
    expect(reasons.map(([reason]) => reason).toSorted()).toEqual(Object.keys(zhRefusals).toSorted());
    const countSlots = (text: string) => new Set(text.match(/\{\d\}/g)).size;
    for (const [reason, words] of reasons) {
      const said = zhRefusals[reason as RefusalReason];
      const isChinese = /\p{Script=Han}/u.test(said);
      expect([reason, isChinese, countSlots(said)]).toEqual([reason, true, words.split('…').length - 1]);
    }
  });

  it.each([
    ['too_short', ['3'], '至少需要 3 个字符。'],
    ['no_email', [], '必须是邮箱地址。'],
    ['file_uneven', ['3', '7', '4'], '文件第 7 行有 3 格，而列数为 4。'],
  ] as const)('%s', (reason, values, said) => {
    expect(sayReasonInChinese({ reason, values })).toBe(said);
  });

  it('are none without a reason that this page knows', () => {
    const unknown = 'of_another_version' as RefusalReason;
    expect(sayReasonInChinese({ reason: undefined, values: [] })).toBeUndefined();
    expect(sayReasonInChinese({ reason: unknown, values: [] })).toBeUndefined();
  });
});
