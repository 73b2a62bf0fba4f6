import { describe, expect, it } from 'vitest';
import { enPhrases } from './en-phrases.js';
import { joinPhrases, sayPhrase } from './say-phrases.js';
import { zhPhrases } from './zh-phrases.js';

const REFUSED = [
  { code: 'priority', values: ['0'] },
  { code: 'by_weight', values: ['3', '2'] },
  { code: 'status_said', values: ['429'] },
  { code: 'other', values: ['Slow down'] },
] as const;

function say(words: Readonly<Record<string, string>>): string {
  return joinPhrases(REFUSED.map(({ code, values }) => sayPhrase({ code, values }, words)));
}

describe('phrases of the API', () => {
  it('are one sentence in the language of the page, with the words of a provider as they are', () => {
    expect(say(enPhrases)).toBe('priority 0, chosen by weight 3 among 2, status\u00a0429: Slow down');
    expect(say(zhPhrases)).toBe('优先级 0，按权重 3 从 2 个中选出，状态码\u00a0429：Slow down');
  });

  it('name every value in every language', () => {
    const slots = (text: string) => [...text.matchAll(/\{\d\}/g)].map(([slot]) => slot).toSorted();
    for (const [code, text] of Object.entries(enPhrases)) {
      expect([code, slots(zhPhrases[code as keyof typeof zhPhrases])]).toEqual([code, slots(text)]);
    }
  });

  it('go on after a colon in every language', () => {
    const leads = (words: Readonly<Record<string, string>>) =>
      Object.keys(words).filter((code) => /(: |：)$/.test(words[code] ?? ''));
    expect(leads(zhPhrases)).toEqual(leads(enPhrases));
  });
});
