import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ApiError, reach, readRefusal } from '../api/answer.js';

/** Where the gateway is and who calls it. */
export interface GatewayAccess {
  /** Address without a path. */
  readonly url: string;
  readonly apiKey: string;
}

interface GatewayAnswer<Body> {
  readonly body: Body;
  readonly requestId: string | undefined;
  /** USD, where the gateway sends it with the response: not for streams. */
  readonly cost: string | undefined;
}

/** Calls the gateway as a program of the caller's would. @throws ApiError */
export async function callGateway<Body>(
  access: GatewayAccess,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<GatewayAnswer<Body>> {
  const response = await send(access, path, body, signal);
  return { ...readHeaders(response), body: (await response.json()) as Body };
}

/** A piece of a streamed chat. */
interface ChatChunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly reasoning_content?: string | null };
  }[];
  readonly error?: { readonly message?: string };
  readonly detail?: { readonly message?: string };
}

interface ChatPiece {
  readonly text: string;
  readonly thinking: string;
}

/**
 * Streams a chat completion.
 *
 * @param onPiece called with each piece of the answer.
 * @throws ApiError, also for an error in the middle of the stream; `AbortError` when it was stopped.
 */
export async function streamChat(
  access: GatewayAccess,
  body: object,
  onPiece: (piece: ChatPiece) => void,
  signal: AbortSignal,
): Promise<{ readonly requestId: string | undefined }> {
  const response = await send(access, '/v1/chat/completions', { ...body, stream: true }, signal);
  const { requestId } = readHeaders(response);
  if (response.body === null) return { requestId };
  const events = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value.data === '[DONE]') return { requestId };
    const chunk = JSON.parse(value.data) as ChatChunk;
    const failure = chunk.error?.message ?? chunk.detail?.message;
    if (failure !== undefined)
      throw new ApiError({ status: 200, code: 'stream', message: failure, requestId });
    const delta = chunk.choices?.[0]?.delta;
    if (delta) onPiece({ text: delta.content ?? '', thinking: delta.reasoning_content ?? '' });
  }
}

async function send(
  { url, apiKey }: GatewayAccess,
  path: string,
  body: object | undefined,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = new Headers({ authorization: `Bearer ${apiKey}` });
  if (body !== undefined) headers.set('content-type', 'application/json');
  const request: RequestInit =
    body === undefined ? { method: 'GET', headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await reach(() => fetch(url + path, { ...request, signal: signal ?? null }));
  if (!response.ok) throw await readRefusal(response);
  return response;
}

function readHeaders({ headers }: Response) {
  return {
    requestId: headers.get('x-request-id') ?? undefined,
    cost: headers.get('x-gateway-cost') ?? undefined,
  };
}
