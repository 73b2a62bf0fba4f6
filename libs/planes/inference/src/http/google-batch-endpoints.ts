import type { FastifyInstance, FastifyRequest } from 'fastify';
import { free } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import type { Handler } from '../call/tracked-call.js';
import {
  cancelGoogleBatch,
  deleteGoogleBatch,
  isCancel,
  listGoogleBatches,
  showGoogleBatch,
} from '../operations/batches/google-batch.js';
import { serve } from './serve-route.js';

const BATCHES = '/v1beta/batches';
const DIALECT = 'gemini-generate';

/** Google's batches, which are created at a model: https://ai.google.dev/api/batch-api */
export function registerGoogleBatches(scope: FastifyInstance, gateway: GatewayContext): void {
  serve(scope, BATCHES, DIALECT, { GET: googleBatchList(gateway) });
  serve(scope, `${BATCHES}/:batchId`, DIALECT, googleBatchHandlers(gateway), takesOfGoogleBatch);
}

/** The list of Google's batches, wherever it stands. */
export function googleBatchList(gateway: GatewayContext): Handler {
  return free(gateway, (caller, request) => listGoogleBatches(caller, request, gateway));
}

/** What one of Google's batches takes, wherever it stands. */
export function googleBatchHandlers(gateway: GatewayContext): Record<'GET' | 'POST' | 'DELETE', Handler> {
  return {
    GET: free(gateway, (caller, request, reply) => showGoogleBatch(caller, request, reply, gateway)),
    POST: free(gateway, (caller, request) => cancelGoogleBatch(caller, request, gateway)),
    DELETE: free(gateway, (caller, request) => deleteGoogleBatch(caller, request, gateway)),
  };
}

/** One route serves batches and the method that cancels one. */
export function takesOfGoogleBatch(request: FastifyRequest): readonly string[] {
  return isCancel(request) ? ['POST'] : ['GET', 'DELETE'];
}
