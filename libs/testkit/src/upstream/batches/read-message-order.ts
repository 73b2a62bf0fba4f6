import { isObject, type Json } from '../json.js';
import type { RequestLine } from './read-orders.js';

const MOST_REQUESTS = 100_000;
const MOST_BYTES = 256 * 1024 * 1024;
const CUSTOM_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** What the upstream refuses, as Anthropic does. */
export class MessageRefusal extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
  ) {
    super(message);
  }

  get body(): unknown {
    const { type, message } = this;
    return { type: 'error', error: { type, message }, request_id: 'req_011CFake' };
  }
}

/** The requests of a message batch. What their params hold is looked at when they are carried out. @throws MessageRefusal */
export function readMessageOrder(bytes: Buffer, body: unknown): RequestLine[] {
  if (bytes.length > MOST_BYTES) {
    throw new MessageRefusal(413, 'request_too_large', 'Request exceeds the maximum size');
  }
  if (!isObject(body)) return refuse('The request body is not valid JSON');
  refuseOthers(body, ['requests'], '');
  const { requests } = body;
  if (!Array.isArray(requests)) return refuse('requests: Field required');
  if (requests.length === 0) return refuse('requests: List should have at least 1 item');
  if (requests.length > MOST_REQUESTS)
    return refuse(`requests: List should have at most ${MOST_REQUESTS} items`);
  const names = new Set<string>();
  return requests.map((request: unknown, at) => {
    const place = `requests.${at}`;
    if (!isObject(request)) return refuse(`${place}: Input should be an object`);
    refuseOthers(request, ['custom_id', 'params'], `${place}.`);
    const { custom_id: customId, params } = request;
    if (typeof customId !== 'string' || !CUSTOM_ID.test(customId)) {
      return refuse(`${place}.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`);
    }
    if (names.has(customId)) return refuse(`${place}.custom_id: Duplicate custom_id`);
    names.add(customId);
    if (!isObject(params)) return refuse(`${place}.params: Field required`);
    return { customId, body: params };
  });
}

function refuseOthers(value: Json, known: readonly string[], place: string): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined) refuse(`${place}${other}: Extra inputs are not permitted`);
}

function refuse(message: string): never {
  throw new MessageRefusal(400, 'invalid_request_error', message);
}
