import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { fastify } from 'fastify';
import { Agent, type Dispatcher } from 'undici';

/**
 * What a good engineer writes in an hour: parses the body, changes the model, asks the upstream, passes the answer
 * on. No keys, no money, no log.
 */
const upstreamUrl = `http://127.0.0.1:${process.env.UPSTREAM_PORT}`;
const dispatcher = new Agent({ pipelining: 1, keepAliveTimeout: 10_000 });
const server = fastify({ logger: false, bodyLimit: 20 * 1024 * 1024, forceCloseConnections: true });

/** Writes an answer as it comes, past the streams that `request` of undici and Fastify's `reply` would put in between. */
class Passing implements Dispatcher.DispatchHandler {
  constructor(private readonly raw: ServerResponse) {}

  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    const passed: OutgoingHttpHeaders = {};
    for (const name of ['content-type', 'content-length']) {
      if (headers[name] !== undefined) passed[name] = headers[name];
    }
    this.raw.writeHead(status, passed);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.raw.write(chunk)) return;
    controller.pause();
    this.raw.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.raw.end();
  }

  onResponseError(): void {
    this.raw.destroy();
  }
}

server.post('/v1/chat/completions', (request, reply) => {
  const body = request.body as Record<string, unknown>;
  reply.hijack();
  dispatcher.dispatch(
    {
      origin: upstreamUrl,
      path: '/v1/chat/completions',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
      body: JSON.stringify({ ...body, model: String(body.model).replace('bench-', '') }),
    },
    new Passing(reply.raw),
  );
});

await server.listen({ port: 0, host: '127.0.0.1' });
const bound = server.server.address();
process.send?.({ port: typeof bound === 'object' && bound ? bound.port : 0 });
process.on('disconnect', () => process.exit(0));
