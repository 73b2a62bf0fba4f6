import { GatewayError } from '@mg/contract';
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import type { Handler } from '../call/tracked-call.js';
import type { EndpointDialect } from '../edge/find-dialect.js';

/** Says that a path is to be asked without a WebSocket. Codex goes on without one at once, and tries seven times at any other. */
const UPGRADE_REQUIRED = 426;

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Registers a path's methods, and answers 405 to every other one, and 426 to who wants a WebSocket there.
 *
 * @param takes the methods of one path among those that a pattern stands for, where they differ.
 */
export function serve(
  scope: FastifyInstance,
  url: string,
  protocol: EndpointDialect,
  handlers: Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Handler>>,
  takes?: (request: FastifyRequest) => readonly string[],
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
      const here = takes?.(request) ?? allowed;
      reply.header('allow', here.join(', '));
      if (request.headers.upgrade?.toLowerCase() === 'websocket') {
        reply.header('upgrade', 'HTTP/1.1');
        throw new GatewayError(
          'method_not_allowed',
          `This path takes ${here.join(' and ')}, and no WebSocket.`,
          {
            status: UPGRADE_REQUIRED,
          },
        );
      }
      throw new GatewayError(
        'method_not_allowed',
        `This path takes ${here.join(' and ')}, not ${request.method}.`,
      );
    },
  });
}
