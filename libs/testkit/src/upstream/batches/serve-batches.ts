import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody } from '../failures.js';
import { type Json, parseJson } from '../json.js';
import { readBearer } from '../dialects/read-bearer.js';
import { readForm } from '../exchanges/read-form.js';
import type { BatchStore, CarryOut } from './fake-batches.js';
import { Refused } from './read-orders.js';

const PATH = /^(?:\/v1)?\/(files|batches)(?:\/([^/]+))?(?:\/(content|cancel))?$/;

/** What is asked of batches. */
export interface BatchRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly rawBody: Buffer;
}

/** Answers what is asked of files and batches. @returns whether it was that. */
export async function serveBatches(
  request: BatchRequest,
  response: ServerResponse,
  store: BatchStore,
  acceptedKeys: readonly string[] | undefined,
): Promise<boolean> {
  const [, kind, id, what] = PATH.exec(request.path) ?? [];
  if (kind === undefined) return false;
  const key = readBearer(request.headers);
  if (acceptedKeys && !acceptedKeys.includes(key)) {
    const message = `Incorrect API key provided: ${key}.`;
    send(response, 401, errorBody(message, 'invalid_request_error', 'invalid_api_key'));
    return true;
  }
  try {
    const answer = await answerRequest(
      request,
      [request.method, kind, what ?? (id && 'one')].join(' '),
      id ?? '',
      store,
    );
    if (answer === undefined) response.destroy();
    else if (typeof answer === 'string')
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(answer);
    else send(response, 200, answer);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    send(response, error.status, error.body);
  }
  return true;
}

async function answerRequest(
  { headers, rawBody, query, path, method }: BatchRequest,
  asked: string,
  id: string,
  store: BatchStore,
): Promise<Json | string | undefined> {
  switch (asked.trim()) {
    case 'POST files': {
      const form = await readForm(headers, rawBody);
      const [file] = form?.get('file') ?? [];
      return store.upload(form ?? new Map(), file instanceof File ? await file.text() : '');
    }
    case 'GET files content':
      return store.read(id);
    case 'POST batches':
      return store.create(parseJson(rawBody), carryOutAt(headers));
    case 'GET batches':
      return store.list(query);
    case 'GET batches one':
      return store.retrieve(id);
    case 'POST batches cancel':
      return store.cancel(id);
    default:
      throw new Refused(404, `Invalid URL (${method} ${path})`, null);
  }
}

/** Requests of a batch are asked at this server, with the key of the batch. */
function carryOutAt({ host = '', authorization = '' }: IncomingMessage['headers']): CarryOut {
  return async (url, body) => {
    const answer = await fetch(`http://${host}${url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: parseJson(await answer.text()) };
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
