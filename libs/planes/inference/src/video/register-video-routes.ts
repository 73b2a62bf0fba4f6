import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '@mg/contract';
import { deriveWebhookSecret } from '@mg/protocols';
import { billedJson, free, type Handler, isStrict, serve } from '../http/serve-route.js';
import type { Kit } from '../kit.js';
import { cancelTask } from './cancel-task.js';
import { createTask } from './create-task.js';
import { baseOf } from './public-base.js';
import { registerOpenAiVideos } from './register-openai-videos.js';
import { serveContent } from './serve-content.js';
import { findTask, listNativeTasks, showTask } from './show-tasks.js';
import { readGenericCall, readNativeCall, type VideoCall } from './video-call.js';

const GENERIC = '/v1/video/generations';
const NATIVE = '/videonative/api/v3/contents/generations/tasks';

/** Video tasks by the two APIs: created and charged by POST, polled for nothing, their results served where they need us. */
export function registerVideoRoutes(scope: FastifyInstance, kit: Kit): void {
  serve(scope, GENERIC, 'openai-chat', { POST: billedTask(GENERIC, readGenericCall, kit) });
  serve(scope, `${GENERIC}/:taskId`, 'openai-chat', { GET: poll('generic', kit) });
  serve(scope, `${GENERIC}/:taskId/content`, 'openai-chat', {
    GET: (request, reply) => serveContent(request, reply, kit),
  });
  serve(scope, NATIVE, 'openai-chat', {
    POST: billedTask(NATIVE, readNativeCall, kit),
    GET: free(kit, (caller, request) => listNativeTasks(caller, request.query, baseOf(request, kit), kit)),
  });
  serve(scope, `${NATIVE}/:taskId`, 'openai-chat', {
    GET: poll('native', kit),
    DELETE: free(kit, (caller, request) => cancelTask(caller, idOf(request), kit)),
  });
  registerOpenAiVideos(scope, kit);
  serve(scope, '/v1/webhooks/secret', 'openai-chat', {
    GET: free(kit, (caller) => ({ secret: deriveWebhookSecret(caller.id, kit.video.key) })),
  });
}

function billedTask(endpoint: string, read: (body: Buffer, strict: boolean) => VideoCall, kit: Kit): Handler {
  return billedJson(
    endpoint,
    ({ request, body, record, client }) =>
      createTask(read(body, isStrict(request)), baseOf(request, kit), record, client, kit),
    kit,
  );
}

/**
 * A poll of a task. The query's `model` need not be read: the task knows its channel. The specification lets a poll fail
 * with 502 or 503 alone, so one too many is a 503.
 */
function poll(face: 'generic' | 'native', kit: Kit): Handler {
  const answer = free(kit, async (caller, request) =>
    showTask(await findTask(caller, idOf(request), face, kit), baseOf(request, kit), kit),
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
