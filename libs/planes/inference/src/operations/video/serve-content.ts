import { GatewayError, type Task } from '@mg/contract';
import { checkLink } from '@mg/protocols';
import { describeJobCall, findJobEndpoint } from '@mg/providers';
import { readRangeWish, sendFile } from '@mg/runtime';
import { type OpenedFile, openJobResult, type RangeRequest, toRangeHeaders } from '@mg/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admitFreeCall } from '../../call/admit-call.js';
import type { VideoGateway } from './video-context.js';
import { readTasks } from './show-tasks.js';

const SERVED = new Set([200, 206, 416]);

/**
 * The bytes of a finished video, or a part of them: to whoever has a link that we signed, and to the keys of its wallet. Where
 * its provider's own link works without a credential its reader is sent there, unless the bytes are asked for (`inline`), as the
 * Console does.
 *
 * @throws GatewayError `forbidden`, `not_found`, `rate_limited`, `upstream_error` or `upstream_unavailable`.
 */
export async function serveContent(
  request: FastifyRequest,
  reply: FastifyReply,
  gateway: VideoGateway,
): Promise<unknown> {
  const task = await findForReader(request, gateway);
  const { result } = task ?? {};
  if (!task || task.state !== 'succeeded' || !result) {
    throw new GatewayError('not_found', 'There is no finished video of this id.', { param: 'task_id' });
  }
  const isOurs =
    result.needsKey === true || (result.stored !== undefined && gateway.video.results !== undefined);
  const { inline } = request.query as { inline?: unknown };
  if (!isOurs && inline === undefined) return reply.redirect(result.url, 302);
  const { served, passThroughs } = gateway.video;
  const file = await (isOurs ? served : passThroughs).open(task.walletId, () =>
    openFile(task, request, gateway),
  );
  if (SERVED.has(file.status)) return sendFile(file, reply);
  file.body.destroy();
  throw new GatewayError('upstream_error', 'The video is no longer at its provider.', {
    upstreamStatus: file.status,
  });
}

async function findForReader(request: FastifyRequest, gateway: VideoGateway): Promise<Task | undefined> {
  const { taskId } = request.params as { taskId: string };
  const { expires, sig } = request.query as { expires?: unknown; sig?: unknown };
  if (typeof expires === 'string' && typeof sig === 'string') {
    await gateway.shares.strangers.count(request.ip);
    if (!checkLink(taskId, { expires, sig }, gateway.video.key, Date.now())) {
      throw new GatewayError('forbidden', 'The link is not valid any more. Poll the task for a new one.');
    }
    return readTasks(() => gateway.video.tasks.findLinked(taskId));
  }
  const caller = await admitFreeCall(request, gateway);
  await gateway.shares.calls.count(caller.id);
  if (!/^[\w-]{1,128}$/.test(taskId)) return undefined;
  return readTasks(() => gateway.video.tasks.find(caller.walletId, taskId));
}

async function openFile(task: Task, request: FastifyRequest, gateway: VideoGateway): Promise<OpenedFile> {
  const requested = readRangeWish(request);
  const stored = task.result?.stored;
  try {
    if (stored !== undefined && gateway.video.results)
      return await gateway.video.results.open(stored, requested);
    return await openAtProvider(task, requested, gateway);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('upstream_unavailable', 'The video cannot be fetched at the moment.', {
      cause: error,
    });
  }
}

async function openAtProvider(
  task: Task,
  requested: RangeRequest,
  gateway: VideoGateway,
): Promise<OpenedFile> {
  const channel = await gateway.video.findChannel(task.channelId ?? '');
  const endpoint = channel && findJobEndpoint(channel, task.upstreamModel ?? '', task.apiVariant);
  if (!channel || !endpoint || !task.result) {
    throw new GatewayError('upstream_unavailable', 'The channel that made this video is gone.');
  }
  const call = describeJobCall({
    channel,
    endpoint,
    upstreamModel: task.upstreamModel ?? '',
    keyHash: task.keyHash,
    taskId: task.id,
    nowMs: Date.now(),
    obtainToken: (cacheKey, makeGrant) =>
      gateway.tokenExchange.obtain(`${channel.id} ${cacheKey}`, makeGrant),
  });
  const { surface } = endpoint;
  const { http, allowPrivateUrls } = gateway.video;
  if (surface.download) {
    return openJobResult(
      surface,
      await surface.download(task.result, call),
      requested,
      channel.timeouts,
      http,
    );
  }
  const url = new URL(task.result.url);
  // An upstream may report any address: only its own and public ones are gone to.
  const isOwn = url.origin === new URL(call.baseUrl).origin;
  const question = { method: 'GET' as const, url, headers: toRangeHeaders(requested) };
  return http.open(question, channel.timeouts, !isOwn && !allowPrivateUrls);
}
