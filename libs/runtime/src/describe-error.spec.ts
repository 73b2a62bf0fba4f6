import { describe, expect, it } from 'vitest';
import { describeError } from './describe-error.js';

describe('describeError', () => {
  it('reports what failed and why', () => {
    const error = Object.assign(new TypeError('cannot be sent', { cause: new Error('the line is cut') }), {
      code: 'ECONNRESET',
    });
    const facts = describeError(error);
    expect(facts).toMatchObject({
      type: 'TypeError',
      message: 'cannot be sent: the line is cut',
      code: 'ECONNRESET',
    });
    expect(facts.stack).toContain('describe-error.spec');
  });

  it('keeps the statement and its parameters to itself', () => {
    const error = Object.assign(
      new Error('duplicate key value violates unique constraint "token_key_hash"'),
      {
        query: 'insert into token values ($1)',
        parameters: ['hash-of-a-key'],
        driverError: Object.assign(new Error('duplicate'), { detail: 'Key (key_hash)=(hash-of-a-key)' }),
        code: '23505',
        constraint: 'token_key_hash',
      },
    );
    const facts = describeError(error);
    expect(facts).toMatchObject({ code: '23505', constraint: 'token_key_hash' });
    expect(JSON.stringify(facts)).not.toMatch(/hash-of-a-key|insert into/);
  });
});
