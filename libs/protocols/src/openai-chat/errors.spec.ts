import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { encodeFault, readOpenAiFault, renderOpenAiError } from './errors.js';

describe('renderOpenAiError', () => {
  it('mirrors the detail, in the words of the upstream', () => {
    const error = new GatewayError('invalid_request', 'prompt is too long: 201000 tokens > 200000 maximum');
    expect(renderOpenAiError(error, 'r')).toMatchObject({
      detail: { code: 'invalid_request' },
      error: { code: 'invalid_request', message: error.message, type: 'invalid_request_error' },
    });
  });
});

describe('readOpenAiFault', () => {
  it.each([
    [
      '{"error":{"message":"no","type":"server_error","code":"overloaded"}}',
      'no',
      'server_error',
      'overloaded',
    ],
    ['{"object":"error","message":"no","type":"BadRequestError","code":400}', 'no', 'BadRequestError', '400'],
    ['{"error":"no"}', 'no', undefined, undefined],
    ['{"detail":"no"}', 'no', undefined, undefined],
  ])('reads %s', (body, message, type, code) => {
    expect(readOpenAiFault(body)).toEqual({ message, type, code });
  });

  it.each(['', '<html>', '[]', '{}', '{"error":7}'])('finds nothing in %j', (body) => {
    expect(readOpenAiFault(body)).toBeUndefined();
  });
});

describe('encodeFault', () => {
  it('has every member that SDKs read', () => {
    expect(encodeFault({ message: 'no', type: undefined, code: undefined })).toEqual({
      error: { message: 'no', type: 'api_error', code: 'upstream_error', param: null },
    });
  });
});
