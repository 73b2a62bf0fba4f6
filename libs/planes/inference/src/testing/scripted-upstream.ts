import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an upstream is to answer. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly contentType?: string;
  readonly body: string;
  /** Waited for before it answers. */
  readonly after?: Promise<unknown>;
}

/** An upstream that answers every call in the same way, and keeps what it was asked. */
export interface ScriptedUpstream {
  readonly url: string;
  readonly asked: { readonly path: string; readonly body: Record<string, unknown> }[];
  answer: ScriptedAnswer;
  close(): void;
}

/** Starts one on a port of its own. */
export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>;
      upstream.asked.push({ path: request.url ?? '', body });
      const { status = 200, contentType = 'application/json', body: text, after } = upstream.answer;
      const answer = () => void response.writeHead(status, { 'content-type': contentType }).end(text);
      if (after) void after.then(answer);
      else answer();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream: ScriptedUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: { body: '{}' },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return upstream;
}

/** Events of a stream as bytes: named by their type, as Anthropic's and the Responses API name them. */
export function writeEvents(...events: readonly { readonly type: string }[]): ScriptedAnswer {
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return { contentType: 'text/event-stream', body };
}
