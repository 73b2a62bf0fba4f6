import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '@mg/contract';
import { deriveWebhookSecret } from '@mg/protocols';
import { billed } from '../call/billed-call.js';
import type { Handler } from '../call/tracked-call.js';
import { isStrict } from '../call/dropped-fields.js';
import { free } from '../call/free-call.js';
import type { BilledEndpoint } from '../call/operation.js';
import { needJson } from '../call/receive.js';
import { cancelTask } from '../operations/video/cancel-task.js';
import { baseOf } from '../edge/public-base.js';
import { registerOpenAiVideos } from './openai-video-endpoints.js';
import { serveContent } from '../operations/video/serve-content.js';
import { findTask, listNativeTasks, showTask } from '../operations/video/show-tasks.js';
import {
  type ReadCall,
  readGenericCall,
  readNativeCall,
  writeOrder,
} from '../operations/video/video-call.js';
import type { VideoGateway } from '../operations/video/video-context.js';
import { VideoOperation } from '../operations/video/video-operation.js';
import { sendJson } from './send-json.js';
import { serve } from './serve-route.js';

const GENERIC = '/v1/video/generations';
const NATIVE = '/videonative/api/v3/contents/generations/tasks';

/** Video tasks by the two APIs: created and charged by POST, polled for nothing, their results served where they need us. */
export function registerVideoRoutes(scope: FastifyInstance, gateway: VideoGateway): void {
  serve(scope, GENERIC, 'openai-chat', {
    POST: billed(taskEndpoint(GENERIC, readGenericCall, gateway), gateway),
  });
  serve(scope, `${GENERIC}/:taskId`, 'openai-chat', { GET: poll('generic', gateway) });
  serve(scope, `${GENERIC}/:taskId/content`, 'openai-chat', {
    GET: (request, reply) => serveContent(request, reply, gateway),
  });
  serve(scope, NATIVE, 'openai-chat', {
    POST: billed(taskEndpoint(NATIVE, readNativeCall, gateway), gateway),
    GET: free(gateway, async (caller, request, reply) =>
      sendJson(await listNativeTasks(caller, request.query, baseOf(request, gateway), gateway), reply),
    ),
  });
  serve(scope, `${NATIVE}/:taskId`, 'openai-chat', {
    GET: poll('native', gateway),
    DELETE: free(gateway, (caller, request) => cancelTask(caller, idOf(request), gateway)),
  });
  registerOpenAiVideos(scope, gateway);
  serve(scope, '/v1/webhooks/secret', 'openai-chat', {
    GET: free(gateway, (caller) => ({ secret: deriveWebhookSecret(caller.id, gateway.video.key) })),
  });
}

function taskEndpoint(
  path: string,
  read: (body: Buffer, strict: boolean) => ReadCall,
  gateway: VideoGateway,
): BilledEndpoint {
  return {
    path,
    dialect: 'openai-chat',
    async open(body, request) {
      const call = await writeOrder(read(needJson(body), isStrict(request.headers)));
      return new VideoOperation(call, baseOf(request, gateway), gateway);
    },
  };
}

/**
 * A poll of a task. The query's `model` need not be read: the task knows its channel. The specification lets a poll fail
 * with 502 or 503 alone, so one too many is a 503.
 */
function poll(apiVariant: 'generic' | 'native', gateway: VideoGateway): Handler {
  const answer = free(gateway, async (caller, request) =>
    showTask(await findTask(caller, idOf(request), apiVariant, gateway), baseOf(request, gateway), gateway),
  );
  return async (request, reply) => {
    try {
      return await answer(request, reply);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'rate_limited') throw error;
      const { message, retryAfter } = error;
      throw new GatewayError('service_unavailable', message, { retryAfter, cause: error });
    }
  };
}

function idOf(request: FastifyRequest): string {
  return (request.params as { taskId: string }).taskId;
}
