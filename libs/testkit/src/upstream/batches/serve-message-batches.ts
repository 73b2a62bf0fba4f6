import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBearer } from '../dialects/read-bearer.js';
import { type Json, parseJson } from '../json.js';
import type { CarryOut } from './fake-batches.js';
import type { MessageBatchStore } from './fake-message-batches.js';
import { MessageRefusal } from './read-message-order.js';
import type { BatchRequest } from './serve-batches.js';

const PATH = /^(?:\/v1)?\/messages\/batches(?:\/([^/]+))?(?:\/(cancel|results))?$/;

/** Answers what is asked of message batches. @returns whether it was that. */
export function serveMessageBatches(
  request: BatchRequest,
  response: ServerResponse,
  store: MessageBatchStore,
  acceptedKeys: readonly string[] | undefined,
): boolean {
  const match = PATH.exec(request.path);
  if (!match) return false;
  const [, id, what] = match;
  try {
    checkHeaders(request.headers, acceptedKeys);
    const asked = [request.method, what ?? (id && 'one')].join(' ').trim();
    const answer = answerRequest(request, asked, id ?? '', store);
    if (answer === undefined) response.destroy();
    else if (typeof answer === 'string')
      response.writeHead(200, { 'content-type': 'application/x-jsonl' }).end(answer);
    else send(response, 200, answer);
  } catch (error) {
    if (!(error instanceof MessageRefusal)) throw error;
    send(response, error.status, error.body);
  }
  return true;
}

function checkHeaders(
  headers: IncomingMessage['headers'],
  acceptedKeys: readonly string[] | undefined,
): void {
  const key = String(headers['x-api-key'] ?? readBearer(headers));
  if (acceptedKeys && !acceptedKeys.includes(key)) {
    throw new MessageRefusal(401, 'authentication_error', 'invalid x-api-key');
  }
  if (headers['anthropic-version'] === undefined) {
    throw new MessageRefusal(400, 'invalid_request_error', 'anthropic-version: header is required');
  }
}

function answerRequest(
  { headers, rawBody: bytes, query, path, method }: BatchRequest,
  asked: string,
  id: string,
  store: MessageBatchStore,
): Json | string | undefined {
  switch (asked) {
    case 'POST':
      return store.create({ bytes, body: parseJson(bytes), headers }, carryOutAt(headers));
    case 'GET':
      return store.list(query);
    case 'GET one':
      return store.retrieve(id);
    case 'GET results':
      return store.readResults(id);
    case 'POST cancel':
      return store.cancel(id);
    default:
      throw new MessageRefusal(404, 'not_found_error', `Not found: ${method} ${path}`);
  }
}

/** Requests of a batch are asked at this server, with the key and the version of the batch. */
function carryOutAt(headers: IncomingMessage['headers']): CarryOut {
  const kept = ['x-api-key', 'anthropic-version', 'anthropic-beta'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return async (url, body) => {
    const answer = await fetch(`http://${headers.host ?? ''}${url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...Object.fromEntries(kept) },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: parseJson(Buffer.from(await answer.arrayBuffer())) };
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
