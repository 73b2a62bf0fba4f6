import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, recallLimits } from '../access/admit.js';
import { describeLimits } from '../edge/limit-headers.js';

type Recall = Pick<Admission, 'tokens' | 'limiter'>;

/** Has every answer say what is left of its caller's limits, whoever gives it. What goes past Fastify has them from `takeOver`. */
export function showLimits(server: FastifyInstance, admission: Recall): void {
  server.decorateRequest('shownLimits', undefined);
  server.addHook('onSend', (request, reply, _payload, done) => {
    setLimitHeaders(request, reply, admission);
    done();
  });
}

/**
 * The limits are those that `admit` has noted. What is answered before anybody is admitted - a wrong header, an unknown path or
 * method, a loop - shows those of the request's key, where that is known here.
 */
export function setLimitHeaders(request: FastifyRequest, reply: FastifyReply, admission: Recall): void {
  request.shownLimits ??= recallLimits(request, admission);
  reply.headers(describeLimits(request));
}
