import { describe, expect, it } from 'vitest';
import { refuse } from './errors.js';
import { findReason, REFUSAL_REASONS, REFUSALS, sayRefusal } from './refusals.js';

describe('refusals', () => {
  it('are told apart by their words', () => {
    for (const reason of REFUSAL_REASONS) expect(findReason(REFUSALS[reason])).toBe(reason);
  });

  it('are said with their values in their order', () => {
    expect(sayRefusal('file_uneven', [3, 7, 4])).toBe('the file has 3 cells in line 7, and 4 columns');
  });

  it('begin with the field, and keep reason and values apart', () => {
    const error = refuse('invalid_request', 'model_not_served', { param: 'model', values: ['x'] });
    expect(error.toDetail('id')).toEqual({
      code: 'invalid_request',
      message: 'model: the channel does not serve "x".',
      request_id: 'id',
      type: 'invalid_request_error',
      param: 'model',
      reason: 'model_not_served',
      values: ['x'],
    });
    expect(refuse('conflict', 'last_owner').toDetail('id')).not.toHaveProperty('values');
  });
});
