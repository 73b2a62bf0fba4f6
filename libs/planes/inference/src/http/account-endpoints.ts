import type { FastifyInstance, FastifyRequest } from 'fastify';
import { showCall } from '../discovery/show-call.js';
import { showBillingUsage, showCredits, showSubscription, showUsage } from '../discovery/show-usage.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { free } from '../call/free-call.js';
import { serve } from './serve-route.js';

/** Where clients of OpenAI's old billing API look, with and without the version. */
const BILLING_PREFIXES = ['/v1/dashboard/billing', '/dashboard/billing'];

/** What a caller may know of their own money, free of charge. */
export function registerAccount(scope: FastifyInstance, gateway: GatewayContext): void {
  const { account } = gateway;
  serve(scope, '/v1/usage', 'openai-chat', {
    GET: free(
      gateway,
      (caller, request) => showUsage(caller, queryOf(request), account),
      gateway.shares.sums,
    ),
  });
  serve(scope, '/v1/usage/:requestId', 'openai-chat', {
    GET: free(gateway, (caller, request) =>
      showCall(caller, (request.params as { requestId: string }).requestId, account),
    ),
  });
  for (const prefix of BILLING_PREFIXES) {
    serve(scope, `${prefix}/subscription`, 'openai-chat', {
      GET: free(gateway, (caller) => showSubscription(caller, account)),
    });
    serve(scope, `${prefix}/usage`, 'openai-chat', {
      GET: free(
        gateway,
        (caller, request) => showBillingUsage(caller, queryOf(request), account),
        gateway.shares.sums,
      ),
    });
    serve(scope, `${prefix}/credit_grants`, 'openai-chat', {
      GET: free(gateway, (caller) => showCredits(caller, account)),
    });
  }
}

function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  return request.query as Readonly<Record<string, unknown>>;
}
