import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { toDatabaseError } from './to-database-error.js';

function failWith(code: string | undefined, message = 'it failed'): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('toDatabaseError', () => {
  it.each([
    failWith('ECONNREFUSED'),
    failWith('EAI_AGAIN'),
    failWith('57P01', 'terminating connection due to administrator command'),
    failWith('08006'),
    failWith(undefined, 'Connection terminated unexpectedly'),
    Object.assign(new AggregateError([failWith('ECONNREFUSED')]), { code: 'ECONNREFUSED' }),
  ])('recognises a database that cannot be reached: %s', (error) => {
    const expected = { code: 'service_unavailable', message: expect.stringContaining('cannot be reached') };
    expect(toDatabaseError(error)).toMatchObject({ ...expected, retryAfter: 1 });
    expect(toDatabaseError(new QueryFailedError('select 1', [], error))).toMatchObject(expected);
  });

  it.each([
    failWith('55P03', 'canceling statement due to lock timeout'),
    failWith('57014', 'canceling statement due to statement timeout'),
  ])('recognises a database that takes too long: %s', (error) => {
    expect(toDatabaseError(new QueryFailedError('select 1', [], error))).toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('takes too long'),
      retryAfter: 1,
    });
  });

  it.each([failWith('23505'), failWith('42P01'), failWith(undefined), 'text', undefined])(
    'is not decided by the statement: %s',
    (error) => {
      expect(toDatabaseError(error)).toBeUndefined();
    },
  );
});
