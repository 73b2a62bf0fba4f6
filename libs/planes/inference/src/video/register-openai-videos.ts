import { type CallerToken, GatewayError, isTaskEnd, type Task } from '@mg/contract';
import { linkTask, readOpenAiVideo, writeOpenAiVideo } from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fingerprintForm, type FormLimits, isForm, readForm } from '../http/read-form.js';
import { billed, free, type Handler, isStrict, readBody, serve } from '../http/serve-route.js';
import type { Kit } from '../kit.js';
import { createTask } from './create-task.js';
import { baseOf } from './public-base.js';
import { serveContent } from './serve-content.js';
import { readTasks } from './show-tasks.js';
import { readGenericCall } from './video-call.js';

const VIDEOS = '/v1/videos';
const PUBLIC_ID = /^[\w-]{1,128}$/;
const MEBIBYTE = 1024 * 1024;
const DEFAULT_PAGE = 20;
const LONGEST_PAGE = 100;

/** One reference picture and the fields around it. */
const ORDER_LIMITS: FormLimits = {
  maxFiles: 1,
  maxBytesPerFile: 10 * MEBIBYTE,
  // The task keeps the picture as it is, so there is nothing to spool.
  maxBytesInMemory: 10 * MEBIBYTE,
  maxFields: 16,
  maxBytesPerField: MEBIBYTE,
  maxBytes: 12 * MEBIBYTE,
};

/** Generic video tasks in the words of OpenAI's video API, so that its SDK makes videos by any channel. */
export function registerOpenAiVideos(scope: FastifyInstance, kit: Kit): void {
  serve(scope, VIDEOS, 'openai-chat', {
    POST: createVideo(kit),
    GET: free(kit, (caller, request) => listVideos(caller, request, kit)),
  });
  serve(scope, `${VIDEOS}/:taskId`, 'openai-chat', {
    GET: free(kit, async (caller, request) => show(await findVideo(caller, request, kit), request, kit)),
    DELETE: free(kit, (caller, request) => deleteVideo(caller, request, kit)),
  });
  serve(scope, `${VIDEOS}/:taskId/content`, 'openai-chat', {
    GET: (request, reply) => serveContent(request, reply, kit),
  });
}

function createVideo(kit: Kit): Handler {
  return billed(
    VIDEOS,
    async (request, lease) => {
      const form = isForm(request)
        ? await readForm(request, ORDER_LIMITS, { lease, spool: kit.spool })
        : undefined;
      const body = form ? undefined : await readBody(request, lease);
      return {
        fingerprint: () => (form ? fingerprintForm(form) : (body ?? Buffer.alloc(0))),
        run: (record, client) => {
          const order = readOpenAiVideo(form?.parts ?? body ?? Buffer.alloc(0));
          const call = readGenericCall(order, isStrict(request));
          return createTask(call, baseOf(request, kit), record, client, kit, (task, { links, gateway }) => ({
            ...writeOpenAiVideo(task, links),
            _gateway: gateway,
          }));
        },
      };
    },
    kit,
  );
}

/** @throws GatewayError `not_found` for unknown videos and for those of other wallets alike, `service_unavailable`. */
async function findVideo(caller: CallerToken, request: FastifyRequest, kit: Kit): Promise<Task> {
  const { taskId } = request.params as { taskId: string };
  const task = PUBLIC_ID.test(taskId)
    ? await readTasks(() => kit.video.tasks.find(caller.walletId, taskId))
    : undefined;
  if (task?.face === 'generic') return task;
  throw new GatewayError('not_found', 'There is no video of this id.', { param: 'video_id' });
}

/** @throws GatewayError `conflict` while the video is being made. */
async function deleteVideo(caller: CallerToken, request: FastifyRequest, kit: Kit) {
  const task = await findVideo(caller, request, kit);
  if (!isTaskEnd(task.state)) {
    throw new GatewayError('conflict', 'The video is still being made.', { param: 'video_id' });
  }
  await readTasks(() => kit.video.tasks.hide(caller.walletId, task.publicId));
  return { id: task.publicId, object: 'video.deleted', deleted: true };
}

/** One page, newest first; `after` names the last video of the page before. */
async function listVideos(caller: CallerToken, request: FastifyRequest, kit: Kit) {
  const { limit = String(DEFAULT_PAGE), after } = request.query as Record<string, string | undefined>;
  const most = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (most < 1 || most > LONGEST_PAGE) {
    throw new GatewayError('invalid_request', `limit must be an integer from 1 to ${LONGEST_PAGE}.`, {
      param: 'limit',
    });
  }
  const tasks = await readTasks(() => kit.video.tasks.listAfter(caller.walletId, 'generic', after, most + 1));
  const data = tasks.slice(0, most).map((task) => show(task, request, kit));
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: tasks.length > most,
  };
}

function show(task: Task, request: FastifyRequest, kit: Kit) {
  return writeOpenAiVideo(task, linkTask(task, baseOf(request, kit), kit.video.key, Date.now()));
}
