import { Histogram, type Registry } from '@mg/runtime';
import type { FastifyInstance } from 'fastify';

/** Times every answer by method, route and status. */
export function countRequests(fastify: FastifyInstance, metrics: Registry): void {
  const durations = new Histogram({
    name: 'console_request_duration_seconds',
    help: 'Time from a request to its answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [metrics],
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    durations.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1_000,
    );
    done();
  });
}
