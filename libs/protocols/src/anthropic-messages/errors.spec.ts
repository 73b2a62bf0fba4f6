import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.js';
import {
  parseAnthropicError,
  readFaultObject,
  renderAnthropicError,
  renderAnthropicErrorEvent,
} from './errors.js';

describe('renderAnthropicError', () => {
  it('shows official SDKs their own shape, with the detail beside it', () => {
    const error = new GatewayError('invalid_request', 'model must be a string.', { param: 'model' });
    const detail = {
      code: 'invalid_request',
      message: 'model must be a string.',
      request_id: 'req_1',
      type: 'invalid_request_error',
      param: 'model',
    };
    expect(renderAnthropicError(error, 'req_1')).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'model must be a string.' },
      request_id: 'req_1',
      detail,
    });
  });

  it.each([
    ['request_too_large', 'request_too_large'],
    ['upstream_unavailable', 'overloaded_error'],
    ['rate_limited', 'rate_limit_error'],
    ['insufficient_balance', 'billing_error'],
    ['invalid_api_key', 'authentication_error'],
  ] as const)('calls %s %s', (code, type) => {
    expect(renderAnthropicError(new GatewayError(code, 'x'), 'r')).toMatchObject({ error: { type } });
  });

  it('words a prompt that is too long as agents expect it', () => {
    const error = new GatewayError('invalid_request', "This model's maximum context length is 8192 tokens.");
    expect(renderAnthropicError(error, 'r')).toMatchObject({
      error: { message: "prompt is too long: This model's maximum context length is 8192 tokens." },
    });
  });

  it('names the event of a stream, without which SDKs skip it', () => {
    const event = renderAnthropicErrorEvent(new GatewayError('upstream_error', 'broken'), 'r');
    expect(event).toMatch(/^event: error\ndata: \{"type":"error",.*\}\n\n$/);
  });
});

describe('parseAnthropicError', () => {
  it.each([
    [
      '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      'Overloaded',
      'overloaded_error',
    ],
    ['{"message":"no access"}', 'no access', undefined],
    ['{"detail":"not found"}', 'not found', undefined],
  ])('reads %s', (body, message, type) => {
    expect(readFaultObject(JSON.parse(body) as JsonObject)).toMatchObject({ message, type });
    expect(parseAnthropicError(body).message).toBe(message);
  });

  it('reads the code of those that have one', () => {
    const body = '{"error":{"code":"ModelNotOpen","message":"Not activated."}}';
    expect(parseAnthropicError(body)).toMatchObject({ message: 'Not activated.', code: 'ModelNotOpen' });
  });

  it.each(['', '<html>', '[]', '{}', '{"error":7}'])('finds nothing in %j', (body) => {
    expect(parseAnthropicError(body).message).toBeUndefined();
  });
});
