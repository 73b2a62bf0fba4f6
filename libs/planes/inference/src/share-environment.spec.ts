import { readEnvironment } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { shareConnections, shareEnvironment } from './share-environment.js';

describe('what a worker has of what its gateway has', () => {
  it('is its share of budgets, and a name of its own that its successor has, too', () => {
    const environment = readEnvironment({ INSTANCE_ID: 'pod-a', BODY_BUDGET_MB: '800' });
    expect(shareEnvironment(environment, { number: 2, of: 4 })).toEqual({
      ...environment,
      INSTANCE_ID: 'pod-a/2',
      BODY_BUDGET_MB: 200,
      SPOOL_BUDGET_MB: 512,
    });
  });

  it('is never less than the largest body needs', () => {
    const environment = readEnvironment({ BODY_BUDGET_MB: '512' });
    expect(shareEnvironment(environment, { number: 1, of: 64 })).toMatchObject({
      BODY_BUDGET_MB: 192,
      SPOOL_BUDGET_MB: 64,
    });
  });

  it('is a part of the connections to Postgres', () => {
    expect([1, 2, 3, 4, 16].map(shareConnections)).toEqual([10, 5, 4, 4, 4]);
  });
});
