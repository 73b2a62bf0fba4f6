import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { findClientProtocol, findDialect, findModelsDialect, nameRequest } from './find-dialect.js';

const REQUEST = { method: 'GET', url: '/v1/models', headers: {}, query: {}, routeOptions: { config: {} } };

function requestWith(changes: object): FastifyRequest {
  return { ...REQUEST, ...changes } as unknown as FastifyRequest;
}

describe('clients 1: who asks at a path that several protocols share', () => {
  it.each([
    ['nobody in particular', {}, 'openai-chat'],
    ['a bearer', { headers: { authorization: 'Bearer sk-1' } }, 'openai-chat'],
    ["Anthropic's SDK", { headers: { 'x-api-key': 'sk-1', 'anthropic-version': '1' } }, 'anthropic-messages'],
    ["Google's SDK", { headers: { 'x-goog-api-key': 'sk-1' } }, 'gemini-generate'],
    ['a key in the query', { query: { key: 'sk-1' } }, 'gemini-generate'],
    [
      'a key in the query beside a bearer',
      { headers: { authorization: 'Bearer sk-1' }, query: { key: 'x' } },
      'openai-chat',
    ],
  ])('%s', (_, changes, dialect) => {
    expect(findClientProtocol(requestWith(changes))).toBe(dialect);
    expect(findDialect(requestWith({ ...changes, routeOptions: { config: {} } }))).toBe(dialect);
  });

  it("is Google's client where a model is called, whatever its key", () => {
    expect(findModelsDialect(requestWith({ method: 'POST' }))).toBe('gemini-generate');
    expect(findModelsDialect(requestWith({}))).toBe('openai-chat');
  });

  it('says nothing where the path is of one protocol', () => {
    const headers = { 'x-goog-api-key': 'sk-1' };
    const routeOptions = { config: { protocol: 'anthropic-messages' } };
    expect(findDialect(requestWith({ headers, routeOptions }))).toBe('anthropic-messages');
    expect(findDialect(requestWith({ url: '/v1beta/corpora' }))).toBe('gemini-generate');
  });
});

it("clients: Anthropic's clients read the request's id in a header of their own", () => {
  expect(nameRequest('anthropic-messages', '1')).toEqual({ 'x-request-id': '1', 'request-id': '1' });
  expect(nameRequest('openai-chat', '1')).toEqual({ 'x-request-id': '1' });
});
