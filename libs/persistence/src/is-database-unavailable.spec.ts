import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { isDatabaseUnavailable } from './is-database-unavailable.js';

function failWith(code: string | undefined, message = 'it failed'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('isDatabaseUnavailable', () => {
  it.each([
    failWith('ECONNREFUSED'),
    failWith('EAI_AGAIN'),
    failWith('57P01', 'terminating connection due to administrator command'),
    failWith('08006'),
    failWith(undefined, 'Connection terminated unexpectedly'),
    Object.assign(new AggregateError([failWith('ECONNREFUSED')]), { code: 'ECONNREFUSED' }),
  ])('recognises a database that cannot be reached: %s', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(isDatabaseUnavailable(new QueryFailedError('select 1', [], error))).toBe(true);
  });

  it.each([failWith('23505'), failWith('42P01'), failWith(undefined), 'text', undefined])(
    'is not decided by the statement: %s',
    (error) => {
      expect(isDatabaseUnavailable(error)).toBe(false);
    },
  );
});
