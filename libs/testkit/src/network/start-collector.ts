import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as OTLP carries it. */
export interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  /** Nanoseconds since 1970, in decimal digits. */
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code: number };
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: Pick<ExportedSpan, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

/** What was posted at once. */
interface Export {
  readonly authorization: string | undefined;
  readonly path: string;
  readonly body: Exported;
}

/** A collector of OpenTelemetry that keeps what it is sent by OTLP over HTTP. */
export interface Collector {
  readonly url: string;
  readonly exports: readonly Export[];
  listSpans(): ExportedSpan[];
  close(): Promise<void>;
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  const exports: Export[] = [];
  const collect = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as Exported;
    exports.push({ authorization: request.headers.authorization, path: request.url ?? '', body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void collect(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports,
    listSpans: () =>
      exports.flatMap(({ body }) =>
        body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An attribute's value, whatever its type. */
export function readAttribute(span: ExportedSpan | undefined, name: string): unknown {
  return Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0];
}
