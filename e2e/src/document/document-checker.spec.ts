import { describe, expect, it } from 'vitest';
import { DocumentChecker } from './document-checker.js';
import type { Exchange } from './observe-exchanges.js';

const document = {
  paths: {
    '/v1/models/{model}': {
      get: { responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } } },
    },
    '/v1/models/{model}:ask': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Question' } } },
        },
        responses: {
          200: {
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Answer' } },
              'text/event-stream': { schema: { $ref: '#/components/schemas/Answer' } },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Question: { type: 'object', required: ['text'] },
      Answer: { type: 'object', properties: { count: { type: 'integer' } } },
    },
  },
};

const call: Exchange = {
  method: 'POST',
  path: '/v1/models/a/b:ask?key=1',
  sent: '{"text":"why"}',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  received: '{"count":1}',
};

function problemsOf(change: Partial<Exchange>): string[] {
  const checker = new DocumentChecker(document);
  checker.check({ ...call, ...change });
  return [...checker.problems.keys()];
}

const NAME = 'POST /v1/models/{model}:ask';

describe('a real call beside the document', () => {
  it.each<[string, Partial<Exchange>]>([
    ['as it is described', {}],
    ['to a path that is not described', { path: '/elsewhere' }],
    ['with events', { contentType: 'text/event-stream', received: 'data: {"count":1}\n\ndata: [DONE]\n\n' }],
    ['with a body that was not kept', { received: undefined }],
  ])('agrees: %s', (_name, change) => {
    expect(problemsOf(change)).toEqual([]);
  });

  it.each<[string, Partial<Exchange>]>([
    [`${NAME} 418: the status is not in the document`, { status: 418 }],
    [`${NAME} 200: text/json is not in the document`, { contentType: 'text/json' }],
    [`${NAME} 200: /count must be integer`, { received: '{"count":"1"}' }],
    [`${NAME} 200: the body is not JSON`, { received: '{' }],
    [
      `${NAME} 200 event: /count must be integer`,
      { contentType: 'text/event-stream', received: 'data: {"count":"1"}\n\n' },
    ],
    [`${NAME} 200 request:  must have required property 'text'`, { sent: '{}' }],
  ])('differs: %s', (problem, change) => {
    expect(problemsOf(change)).toEqual([problem]);
  });
});
