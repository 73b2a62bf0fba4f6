import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Json, parseJson } from '../json.js';
import type { CarryOut } from './fake-batches.js';
import type { GoogleBatchStore } from './fake-google-batches.js';
import { GoogleRefusal } from './read-google-order.js';
import type { BatchRequest } from './serve-batches.js';

const UPLOAD = '/upload/v1beta/files';
const DOWNLOAD = /^\/download\/v1beta\/(files\/[\w-]+):download$/;
const CREATE = /^\/v1beta\/models\/([^/:]+):(batchGenerateContent|asyncBatchEmbedContent)$/;
const BATCHES = /^\/v1beta\/batches(?:\/([\w-]+)(:cancel)?)?$/;

/** Answers what is asked of Google's batches and of their files. @returns whether it was that. */
export function serveGoogleBatches(
  request: BatchRequest,
  response: ServerResponse,
  store: GoogleBatchStore,
  acceptedKeys: readonly string[] | undefined,
): boolean {
  const { path, headers } = request;
  if (path !== UPLOAD && ![DOWNLOAD, CREATE, BATCHES].some((known) => known.test(path))) return false;
  try {
    if (acceptedKeys && !acceptedKeys.includes(String(headers['x-goog-api-key'] ?? ''))) {
      throw new GoogleRefusal(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.');
    }
    if (path === UPLOAD && headers['x-goog-upload-command'] === 'start') {
      if (headers['x-goog-upload-protocol'] !== 'resumable') refuse('Unknown upload protocol.');
      const origin = store.uploadsAt ?? `http://${headers.host}`;
      const url = `${origin}${UPLOAD}?upload_id=${store.beginUpload()}&upload_protocol=resumable`;
      response.writeHead(200, { 'x-goog-upload-url': url, 'x-goog-upload-status': 'active' }).end();
      return true;
    }
    const answer = answerRequest(request, store);
    if (answer === undefined) response.destroy();
    else if (typeof answer === 'string')
      response.writeHead(200, { 'content-type': 'application/jsonl' }).end(answer);
    else send(response, 200, answer);
  } catch (error) {
    if (!(error instanceof GoogleRefusal)) throw error;
    send(response, error.code, error.body);
  }
  return true;
}

function answerRequest(request: BatchRequest, store: GoogleBatchStore): Json | string | undefined {
  const { method, path, query, headers, rawBody } = request;
  if (path === UPLOAD) {
    if (headers['x-goog-upload-command'] !== 'upload, finalize' || headers['x-goog-upload-offset'] !== '0')
      refuse('The upload was not announced.');
    return store.upload(query.get('upload_id') ?? '', rawBody.toString());
  }
  const [, file] = DOWNLOAD.exec(path) ?? [];
  if (file !== undefined)
    return query.get('alt') === 'media' ? store.download(file) : refuse('alt must be media.');
  const [, model, made] = CREATE.exec(path) ?? [];
  if (model !== undefined && method === 'POST') {
    const target = {
      model,
      method: made === 'asyncBatchEmbedContent' ? 'embedContent' : 'generateContent',
    } as const;
    return store.create(target, parseJson(rawBody), carryOutAt(headers));
  }
  const [, id, cancel] = BATCHES.exec(path) ?? [];
  if (method === 'GET' && cancel === undefined)
    return id === undefined ? store.list(query) : store.retrieve(id);
  if (method === 'POST' && id !== undefined && cancel !== undefined) return store.cancel(id);
  throw new GoogleRefusal(404, 'NOT_FOUND', `Not found: ${method} ${path}`);
}

/** Requests of a batch are asked at this server, with the key of the batch. */
function carryOutAt(headers: IncomingMessage['headers']): CarryOut {
  const key = String(headers['x-goog-api-key'] ?? '');
  return async (url, body) => {
    const answer = await fetch(`http://${headers.host ?? ''}${url}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': key },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: parseJson(Buffer.from(await answer.arrayBuffer())) };
  };
}

function refuse(message: string): never {
  throw new GoogleRefusal(400, 'INVALID_ARGUMENT', message);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
