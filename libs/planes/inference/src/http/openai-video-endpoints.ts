import { type CallerToken, GatewayError, isTaskEnd, type Task } from '@mg/contract';
import {
  linkTask,
  MAX_VIDEO_FORM_FIELDS,
  parseRequestBody,
  readOpenAiVideo,
  readVideoForm,
  writeOpenAiVideo,
} from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { billed } from '../call/billed-call.js';
import { isStrict } from '../call/dropped-fields.js';
import { free } from '../call/free-call.js';
import type { BilledEndpoint } from '../call/operation.js';
import { needJson } from '../call/receive.js';
import { nextTurn } from '../edge/loop-turns.js';
import { OPENAI_PAGE } from '../edge/page-sizes.js';
import type { FormLimits } from '../edge/read-form.js';
import { baseOf } from '../edge/public-base.js';
import { serveContent } from '../operations/video/serve-content.js';
import { readTasks } from '../operations/video/show-tasks.js';
import { readRemixCall } from '../operations/video/remix-call.js';
import { readGenericCall, writeOrder } from '../operations/video/video-call.js';
import type { VideoGateway } from '../operations/video/video-context.js';
import { VideoOperation, type WriteTask } from '../operations/video/video-operation.js';
import { serve } from './serve-route.js';

const VIDEOS = '/v1/videos';
const PUBLIC_ID = /^[\w-]{1,128}$/;
const MEBIBYTE = 1024 * 1024;

/** One reference image and the fields around it. */
const ORDER_LIMITS: FormLimits = {
  maxFiles: 1,
  maxBytesPerFile: 10 * MEBIBYTE,
  // The task keeps the image as it is, so there is nothing to spool.
  maxBytesInMemory: 10 * MEBIBYTE,
  maxFields: MAX_VIDEO_FORM_FIELDS,
  maxBytesPerField: 256 * 1024,
  isLongField: (name) => name.startsWith('input_reference'),
  maxBytes: 12 * MEBIBYTE,
};

/** Generic video tasks in the shape of OpenAI's video API, so that its SDK works with any channel. */
export function registerOpenAiVideos(scope: FastifyInstance, gateway: VideoGateway): void {
  serve(scope, VIDEOS, 'openai-chat', {
    POST: billed(createVideo(gateway), gateway),
    GET: free(gateway, (caller, request) => listVideos(caller, request, gateway)),
  });
  serve(scope, `${VIDEOS}/:taskId`, 'openai-chat', {
    GET: free(gateway, async (caller, request) =>
      show(await findVideo(caller, request, gateway), request, gateway),
    ),
    DELETE: free(gateway, (caller, request) => deleteVideo(caller, request, gateway)),
  });
  serve(scope, `${VIDEOS}/:taskId/remix`, 'openai-chat', { POST: billed(remixVideo(gateway), gateway) });
  serve(scope, `${VIDEOS}/:taskId/content`, 'openai-chat', {
    GET: (request, reply) => serveContent(request, reply, gateway),
  });
}

function createVideo(gateway: VideoGateway): BilledEndpoint {
  return {
    path: VIDEOS,
    dialect: 'openai-chat',
    form: ORDER_LIMITS,
    async open(body, request) {
      const fields = Buffer.isBuffer(body) ? parseRequestBody(body) : await readVideoForm(body, nextTurn);
      const call = await writeOrder(readGenericCall(readOpenAiVideo(fields), isStrict(request.headers)));
      return new VideoOperation(call, baseOf(request, gateway), gateway, writeNewVideo);
    },
  };
}

/** A video like one that is done, by another prompt. */
function remixVideo(gateway: VideoGateway): BilledEndpoint {
  return {
    path: `${VIDEOS}/{video_id}/remix`,
    dialect: 'openai-chat',
    async open(body, request, _gateway, { caller }) {
      const source = await findVideo(caller, request, gateway);
      const call = await writeOrder(readRemixCall(needJson(body), source, gateway.catalog()));
      return new VideoOperation(call, baseOf(request, gateway), gateway, (task, extras) => ({
        ...writeNewVideo(task, extras),
        remixed_from_video_id: source.publicId,
      }));
    },
  };
}

const writeNewVideo: WriteTask = (task, { links, gateway }) => ({
  ...writeOpenAiVideo(task, links),
  _gateway: gateway,
});

/** @throws GatewayError `not_found` for unknown videos and for those of other wallets alike, `service_unavailable`. */
async function findVideo(caller: CallerToken, request: FastifyRequest, gateway: VideoGateway): Promise<Task> {
  const { taskId } = request.params as { taskId: string };
  const task = PUBLIC_ID.test(taskId)
    ? await readTasks(() => gateway.video.tasks.find(caller.walletId, taskId))
    : undefined;
  if (task?.apiVariant === 'generic') return task;
  throw new GatewayError('not_found', 'There is no video of this id.', { param: 'video_id' });
}

/** @throws GatewayError `conflict` while the video is being made. */
async function deleteVideo(caller: CallerToken, request: FastifyRequest, gateway: VideoGateway) {
  const task = await findVideo(caller, request, gateway);
  if (!isTaskEnd(task.state)) {
    throw new GatewayError('conflict', 'The video is still being made.', { param: 'video_id' });
  }
  await readTasks(() => gateway.video.tasks.hide(caller.walletId, task.publicId));
  return { id: task.publicId, object: 'video.deleted', deleted: true };
}

/** One page, newest first; `after` names the last video of the page before. */
async function listVideos(caller: CallerToken, request: FastifyRequest, gateway: VideoGateway) {
  const { limit = String(OPENAI_PAGE.usual), after } = request.query as Record<string, string | undefined>;
  const most = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (most < 1 || most > OPENAI_PAGE.most) {
    throw new GatewayError('invalid_request', `limit must be an integer from 1 to ${OPENAI_PAGE.most}.`, {
      param: 'limit',
    });
  }
  const tasks = await readTasks(() =>
    gateway.video.tasks.listAfter(caller.walletId, 'generic', after, most + 1),
  );
  const data = tasks.slice(0, most).map((task) => show(task, request, gateway));
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: tasks.length > most,
  };
}

function show(task: Task, request: FastifyRequest, gateway: VideoGateway) {
  return writeOpenAiVideo(task, linkTask(task, baseOf(request, gateway), gateway.video.key, Date.now()));
}
