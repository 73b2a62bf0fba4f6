import type { TaskResult } from '@mg/contract';
import type { ClaimedTask } from '@mg/persistence/video';
import { errorMessage } from '@mg/runtime';
import { type OpenedFile, openJobResult } from '@mg/transport';
import type { WorkerContext } from '../worker-context.js';
import { type JobContext } from './job-context.js';

const KEEP_WITHIN_SECONDS = 10 * 60;
const ENDINGS: Readonly<Record<string, string>> = { 'video/webm': 'webm', 'video/quicktime': 'mov' };

/**
 * Keeps a copy of a result where the operator wants one, so that it outlives the provider's link. A result that cannot
 * be copied is still a result: the task ends with the provider's link alone.
 */
export async function keepResult(
  { task, claim }: ClaimedTask,
  context: JobContext,
  result: TaskResult,
  worker: WorkerContext,
): Promise<TaskResult> {
  const { results } = worker;
  if (!results) return result;
  try {
    await worker.store.extend(claim, KEEP_WITHIN_SECONDS);
    const file = await openResult(context, result, worker);
    if (file.status !== 200) {
      file.body.destroy();
      throw new Error(`its address answered with status ${file.status}`);
    }
    const contentType = file.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? 'video/mp4';
    const length = file.headers['content-length'];
    const name = `${task.id}.${ENDINGS[contentType] ?? 'mp4'}`;
    try {
      const size = length === undefined ? undefined : Number(length);
      await results.keep(name, contentType, file.body, size);
    } finally {
      file.body.destroy();
    }
    return { ...result, stored: name };
  } catch (error) {
    worker.logger.warn(
      { task: task.id, reason: errorMessage(error) },
      'result could not be copied to the result store',
    );
    return result;
  }
}

async function openResult(
  { channel, endpoint, call }: JobContext,
  result: TaskResult,
  worker: WorkerContext,
): Promise<OpenedFile> {
  const { surface } = endpoint;
  const timeouts = { ...channel.timeouts, totalMs: KEEP_WITHIN_SECONDS * 1_000 };
  if (surface.download) {
    return openJobResult(surface, await surface.download(result, call), {}, timeouts, worker.http);
  }
  const url = new URL(result.url);
  // An upstream may report any address: only its own and public ones are gone to.
  const isOwn = url.origin === new URL(call.baseUrl).origin;
  return worker.http.open({ method: 'GET', url, headers: {} }, timeouts, !isOwn && !worker.allowPrivateUrls);
}
