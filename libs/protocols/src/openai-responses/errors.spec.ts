import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { encodeErrorEvent, readResponsesFaultObject, renderResponsesErrorEvent } from './errors.js';

describe('errors of the Responses dialect', () => {
  it('say in a stream what happened beside the type and under error', () => {
    const error = new GatewayError('upstream_error', 'The upstream failed.');
    const [name, data = ''] = renderResponsesErrorEvent(error, 'req-1', 'sse', 4).split('\n');
    const facts = { message: 'The upstream failed.', code: 'upstream_error' };
    expect(name).toBe('event: error');
    expect(JSON.parse(data.slice('data: '.length))).toMatchObject({
      ...facts,
      type: 'error',
      sequence_number: 4,
      error: facts,
      detail: { ...facts, request_id: 'req-1' },
    });
    const fault = { message: 'm', type: undefined, code: undefined };
    expect(encodeErrorEvent(fault, 7)).toContain('"sequence_number":7');
  });

  it('are read from bodies, events and failed responses', () => {
    const facts = { message: 'Overloaded.', code: 'server_error' };
    for (const body of [
      { error: facts },
      { type: 'error', ...facts },
      { type: 'error', error: facts },
      { type: 'response.failed', response: { status: 'failed', error: facts } },
    ]) {
      expect(readResponsesFaultObject(body)).toMatchObject(facts);
    }
  });
});
