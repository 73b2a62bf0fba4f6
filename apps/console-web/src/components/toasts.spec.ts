import { beforeEach, describe, expect, it } from 'vitest';
import { toasts } from './toasts.js';

beforeEach(() => {
  for (const { id } of toasts.shown) toasts.close(id);
});

describe('toasts', () => {
  it('are shown in their order, and closed one by one', () => {
    toasts.tellDone('Saved.');
    toasts.tellFailed(new Error('no'));
    const [first] = toasts.shown;
    toasts.close(first?.id ?? 0);
    expect(toasts.shown).toMatchObject([{ error: new Error('no') }]);
  });

  it('give way to newer ones', () => {
    for (const text of ['1', '2', '3', '4']) toasts.tellDone(text);
    expect(toasts.shown.map(({ done }) => done)).toEqual(['2', '3', '4']);
  });
});
