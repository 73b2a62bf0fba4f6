import type { IncomingMessage } from 'node:http';
import { GatewayError } from '@mg/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Every method that a route of ours may have. Node's parser knows some thirty more. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Options of Node's server: a request without a Host is refused by us, in our shape. */
export const NODE_SERVER_OPTIONS = { requireHostHeader: false } as const;

/** `.` or `..` between slashes: a router reads it as it stands, a file server as the way to another path. */
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** The one expectation that there is: https://www.rfc-editor.org/rfc/rfc9110#name-expect. Node meets it by itself. */
const EXPECTATION = '100-continue';
const EXPECTATION_FAILED = 417;

/** Answers a failure in a server's own shape. */
export type SendError = (error: GatewayError, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Refuses what no route should have to think of: unknown methods, NUL in a path or a query, dot segments, no
 * Host or several, unknown expectations. Comes before every other hook and every plug-in, so that none of them meets such a
 * request.
 *
 * @param answersAnyId whether a path's route has an answer of its own for ids that cannot be.
 */
export function refuseUnsafeRequests(
  server: FastifyInstance,
  send: SendError,
  answersAnyId: (path: string) => boolean = () => false,
): void {
  // Node would answer such a request by itself, without a body.
  server.server.on('checkExpectation', (request, response) => server.routing(request, response));
  server.addHook('onRequest', (request, reply, done) => {
    const problem = findRequestProblem(request.raw);
    const [path = ''] = request.url.split('?', 1);
    if (!problem || (problem.param === 'path' && answersAnyId(path))) return done();
    if (problem.code === 'method_not_allowed') reply.header('allow', [...METHODS].join(', '));
    send(problem, request, reply);
  });
}

/**
 * What is wrong with a request's head, if anything: 400 or 417 `invalid_request` with `param`, 404 `not_found` for a path with dot
 * segments, or 405 `method_not_allowed`.
 */
function findRequestProblem(request: IncomingMessage): GatewayError | undefined {
  const { method = '', url = '', headers } = request;
  if (!METHODS.has(method)) {
    return new GatewayError('method_not_allowed', `The method ${method} is not served here.`);
  }
  if (url.includes('%00')) return refuseNul(url);
  const [path = ''] = url.split('?', 1);
  if (DOT_SEGMENT.test(path)) return new GatewayError('not_found', 'There is nothing at a path with dots.');
  const hosts = countHosts(request.rawHeaders);
  if (hosts > 1) return refuseHost('must be given once');
  if (hosts === 0 && request.httpVersion === '1.1') return refuseHost('is required');
  return headers.expect === undefined ? undefined : findUnmet(headers.expect);
}

function refuseNul(url: string): GatewayError {
  const [path = '', query = ''] = url.split('?', 2);
  const field = query.split('&').find((part) => part.includes('%00'));
  const name = path.includes('%00') ? 'path' : (field?.split('=', 1)[0] ?? 'query');
  const param = name.includes('%00') ? 'query' : name.slice(0, 64);
  return new GatewayError('invalid_request', `${param}: must not hold NUL.`, { param });
}

function findUnmet(expectation: string): GatewayError | undefined {
  if (expectation.toLowerCase() === EXPECTATION) return undefined;
  const message = `Expect: only ${EXPECTATION} can be expected here.`;
  return new GatewayError('invalid_request', message, { param: 'Expect', status: EXPECTATION_FAILED });
}

function refuseHost(rule: string): GatewayError {
  return new GatewayError('invalid_request', `Host: ${rule}.`, { param: 'Host' });
}

/** Names and values in turn; Node itself keeps the first Host and drops the others without a word. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
