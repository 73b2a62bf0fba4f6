import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** A whole call that this process made by `fetch`, whichever client made it. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The body as it was sent, where it is JSON. */
  readonly sent: string | undefined;
  readonly status: number;
  readonly contentType: string;
  /** The body as it was received, where it is JSON or events. */
  readonly received: string | undefined;
}

/** What Node's `fetch` reports of a request, always the same object for one request. */
interface FetchRequest {
  readonly origin: string | URL;
  readonly method: string;
  readonly path: string;
}

interface Message {
  readonly request: FetchRequest;
  readonly chunk?: Uint8Array | string;
  readonly response?: { readonly statusCode: number; readonly headers: readonly Uint8Array[] };
}

interface Seen {
  readonly sent: Buffer[];
  readonly received: Buffer[];
  status: number;
  contentType: string;
  isKept: boolean;
}

/** Stands in files of requests, which are JSON line by line, and in no JSON. */
const BETWEEN_LINES = '}\n{';
const READABLE = /\b(json|event-stream)\b/;
/** Larger bodies are images and recordings, of which the document says nothing. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Watches the calls to some servers as they go over the wire, without standing in their way: a body that nobody reads is
 * not read here either, and a call that is broken off is not reported.
 *
 * @param origins such as `http://127.0.0.1:8080`.
 * @param onExchange gets every call that was answered to its end.
 * @returns what ends the watch.
 * @see https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
 */
export function observeExchanges(
  origins: readonly string[],
  onExchange: (exchange: Exchange) => void,
): () => void {
  const calls = new WeakMap<FetchRequest, Seen>();
  const listeners: Readonly<Record<string, (message: Message) => void>> = {
    create: ({ request }) => {
      if (!origins.includes(String(request.origin))) return;
      calls.set(request, { sent: [], received: [], status: 0, contentType: '', isKept: false });
    },
    bodyChunkSent: ({ request, chunk }) => keep(calls.get(request)?.sent, chunk),
    headers: ({ request, response }) => {
      const seen = calls.get(request);
      if (!seen || !response) return;
      seen.status = response.statusCode;
      seen.contentType = findHeader(response.headers, 'content-type');
      seen.isKept = READABLE.test(seen.contentType);
    },
    bodyChunkReceived: ({ request, chunk }) => {
      const seen = calls.get(request);
      if (seen?.isKept) keep(seen.received, chunk);
    },
    trailers: ({ request }) => {
      const seen = calls.get(request);
      if (seen) onExchange(toExchange(request, seen));
    },
  };
  const channels = Object.entries(listeners).map(
    ([name, listener]) =>
      [`undici:request:${name}`, (message: unknown) => listener(message as Message)] as const,
  );
  for (const [name, listener] of channels) subscribe(name, listener);
  return () => {
    for (const [name, listener] of channels) unsubscribe(name, listener);
  };
}

function keep(chunks: Buffer[] | undefined, chunk: Uint8Array | string | undefined): void {
  if (chunks && chunk !== undefined) chunks.push(Buffer.from(chunk as Uint8Array));
}

/** Names and values stand in turn. */
function findHeader(headers: readonly Uint8Array[], wanted: string): string {
  const texts = headers.map((part) => Buffer.from(part).toString('latin1'));
  const at = texts.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === wanted);
  return at < 0 ? '' : (texts[at + 1] ?? '');
}

function toExchange(
  { method, path }: FetchRequest,
  { sent, received, status, contentType, isKept }: Seen,
): Exchange {
  const text = toText(sent);
  return {
    method,
    path,
    sent: text?.startsWith('{') && !text.includes(BETWEEN_LINES) ? text : undefined,
    status,
    contentType,
    received: isKept ? toText(received) : undefined,
  };
}

function toText(chunks: readonly Buffer[]): string | undefined {
  const bytes = Buffer.concat(chunks);
  return bytes.length > MOST_BYTES ? undefined : bytes.toString('utf8');
}
