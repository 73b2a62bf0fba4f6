import { describe, expect, it } from 'vitest';
import { isContextOverflow } from '../canonical/context-overflow.js';
import type { JsonObject } from '../json.js';
import { parseConverseError, readFaultObject } from './errors.js';

describe('parseConverseError', () => {
  it.each([
    [
      '{"message":"The provided model identifier is invalid."}',
      'The provided model identifier is invalid.',
      undefined,
    ],
    ['{"Message":"User is not authorized."}', 'User is not authorized.', undefined],
    [
      '{"type":"error","error":{"type":"throttlingException","message":"Too many requests"}}',
      'Too many requests',
      'throttlingException',
    ],
  ])('reads %s', (body, message, type) => {
    expect(readFaultObject(JSON.parse(body) as JsonObject)).toEqual({ message, type, code: undefined });
    expect(parseConverseError(body)).toEqual({ message, param: undefined });
  });

  it.each(['', '<html>', '[]', '{}', '{"message":7}'])('finds nothing in %j', (body) => {
    expect(parseConverseError(body).message).toBeUndefined();
  });

  it('knows the words for a prompt that is too long', () => {
    expect(isContextOverflow('Input is too long for requested model.')).toBe(true);
  });
});
