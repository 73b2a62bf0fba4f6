import { fastify } from 'fastify';
import { Agent, request as askUpstream } from 'undici';

/**
 * What a good engineer writes in an hour: parses the body, changes the model, asks the upstream, passes the answer
 * on. No keys, no money, no log.
 */
const upstreamUrl = `http://127.0.0.1:${process.env.UPSTREAM_PORT}/v1/chat/completions`;
const dispatcher = new Agent({ pipelining: 1, keepAliveTimeout: 10_000 });
const server = fastify({ logger: false, bodyLimit: 20 * 1024 * 1024, forceCloseConnections: true });

server.post('/v1/chat/completions', async (request, reply) => {
  const body = request.body as Record<string, unknown>;
  const answer = await askUpstream(upstreamUrl, {
    method: 'POST',
    dispatcher,
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    body: JSON.stringify({ ...body, model: String(body.model).replace('bench-', '') }),
  });
  reply.code(answer.statusCode).header('content-type', answer.headers['content-type']);
  return reply.send(answer.body);
});

await server.listen({ port: 0, host: '127.0.0.1' });
const bound = server.server.address();
process.send?.({ port: typeof bound === 'object' && bound ? bound.port : 0 });
process.on('disconnect', () => process.exit(0));
