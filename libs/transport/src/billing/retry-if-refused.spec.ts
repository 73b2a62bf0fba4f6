import { describe, expect, it } from 'vitest';
import { retryIfRefused, retryWhereRefused } from './retry-if-refused.js';

type Decision = { readonly granted: number } | { readonly refused: string };

/** A wallet from which one unit is free at first and more once calls that are over have been charged. */
function openWallet(freeLater: number) {
  let free = 1;
  const asked: string[][] = [];
  return {
    asked,
    ask: async (requests: readonly string[]): Promise<Decision[]> => {
      asked.push([...requests]);
      return requests.map(() => (free-- > 0 ? { granted: 1 } : { refused: 'insufficient_balance' }));
    },
    catchUp: async () => {
      free = freeLater;
      return freeLater > 0;
    },
  };
}

describe('requests that billing refuses', () => {
  it('are asked once more, those alone, and keep their places', async () => {
    const { ask, asked, catchUp } = openWallet(1);
    expect(await retryWhereRefused(['a', 'b', 'c'], ask, catchUp)).toEqual([
      { granted: 1 },
      { granted: 1 },
      { refused: 'insufficient_balance' },
    ]);
    expect(asked).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]);
  });

  it('stay refused where nothing waits to be charged', async () => {
    const { ask, asked, catchUp } = openWallet(0);
    await retryWhereRefused(['a', 'b'], ask, catchUp);
    expect(asked).toEqual([['a', 'b']]);
  });

  it('may be one alone', async () => {
    const answers: Decision[] = [{ refused: 'insufficient_balance' }, { granted: 2 }];
    const ask = async () => answers.shift() ?? { granted: 0 };
    expect(await retryIfRefused(ask, async () => true)).toEqual({ granted: 2 });
    expect(answers).toEqual([]);
  });
});
