import type { ServerResponse } from 'node:http';
import type { Arrival } from './dialects/dialect.js';
import { readBearer } from './dialects/read-bearer.js';
import { errorBody } from './failures.js';
import { isObject, type Json, listObjects, readText } from './json.js';
import { type Refusal, refuse } from './request.js';

/** A path of one response, at OpenAI and on Azure. */
const ONE_RESPONSE = /^(?:\/v1|\/openai(?:\/v1)?)?\/responses\/([\w-]+)$/;

/** The oldest go: drills ask for thousands. */
const MOST = 200;

/** Responses that are kept for the key that asked for them, as OpenAI keeps them for a project. */
export class KeptResponses {
  readonly #items = new Map<string, readonly Json[]>();

  /** Ids of all of them, whichever key has them. */
  get ids(): readonly string[] {
    return [...this.#items.keys()].map((name) => name.split(' ').at(-1) ?? '');
  }

  /** A request with all that it goes on from, or what OpenAI says where it does not know that. */
  recall(key: string, arrival: Arrival): Arrival | Refusal {
    const { body } = arrival;
    const previous = isObject(body) ? body['previous_response_id'] : undefined;
    if (!isObject(body) || previous === undefined || previous === null) return arrival;
    const earlier = this.#items.get(`${key} ${String(previous)}`);
    if (earlier) return { ...arrival, body: { ...body, input: [...earlier, ...listItems(body['input'])] } };
    const message = `Previous response with id '${String(previous)}' not found.`;
    return { ...refuse(message, 'previous_response_id'), code: 'previous_response_not_found' };
  }

  /** @param arrival the request with all that it goes on from. */
  keep(key: string, { body }: Arrival, response: unknown): void {
    if (!isObject(body) || !isObject(response) || response['store'] !== true) return;
    const items = [...listItems(body['input']), ...listObjects(response['output'])];
    this.#items.set(`${key} ${readText(response['id'])}`, items);
    const [oldest] = this.#items.keys();
    if (this.#items.size > MOST && oldest !== undefined) this.#items.delete(oldest);
  }

  delete(key: string, id: string): boolean {
    return this.#items.delete(`${key} ${id}`);
  }

  reset(): void {
    this.#items.clear();
  }
}

/** Answers a wish to delete a response. @returns whether it was one. */
export function serveKeptResponses(
  { method, path, headers }: Pick<Arrival, 'path' | 'headers'> & { readonly method: string },
  response: ServerResponse,
  kept: KeptResponses,
): boolean {
  const [, id] = ONE_RESPONSE.exec(path) ?? [];
  if (method !== 'DELETE' || id === undefined) return false;
  const key = headers['api-key'] === undefined ? readBearer(headers) : String(headers['api-key']);
  const isKnown = kept.delete(key, id);
  const body = isKnown
    ? { id, object: 'response', deleted: true }
    : errorBody(`Response with id '${id}' not found.`, 'invalid_request_error', null);
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
}

function listItems(input: unknown): Json[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listObjects(input);
}
