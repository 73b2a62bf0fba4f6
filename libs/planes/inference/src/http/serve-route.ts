import { GatewayError } from '@mg/contract';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Handler } from '../call/billed-call.js';
import type { EndpointDialect } from '../edge/find-dialect.js';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Registers a path's methods, and answers 405 to every other one. */
export function serve(
  scope: FastifyInstance,
  url: string,
  protocol: EndpointDialect,
  handlers: Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>,
): void {
  const config = { protocol };
  const allowed = Object.keys(handlers);
  // Fastify answers HEAD wherever there is a GET.
  const served = handlers.GET ? [...allowed, 'HEAD'] : allowed;
  for (const [method, handler] of Object.entries(handlers)) scope.route({ method, url, config, handler });
  scope.route({
    method: METHODS.filter((method) => !served.includes(String(method))),
    url,
    config,
    handler: async (request, reply) => {
      reply.header('allow', allowed.join(', '));
      throw new GatewayError(
        'method_not_allowed',
        `This path takes ${allowed.join(' and ')}, not ${request.method}.`,
      );
    },
  });
}
