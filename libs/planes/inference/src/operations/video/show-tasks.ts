import { type CallerToken, GatewayError, omitUndefined, type Task, type ApiVariant } from '@mg/contract';
import {
  linkTask,
  NATIVE_TASK_STATUSES,
  type NativeTaskStatus,
  nativeStatusToStates,
  writeGenericTask,
  writeNativeTask,
} from '@mg/protocols';
import { nextTurn } from '../../edge/loop-turns.js';
import { NATIVE_PAGE } from '../../edge/page-sizes.js';
import type { VideoGateway } from './video-context.js';

const PUBLIC_ID = /^[\w-]{1,128}$/;

/**
 * A task of the caller's wallet as it stands in our own row: nobody else is asked and nothing changes.
 *
 * @throws GatewayError `task_not_found` for unknown tasks and for those of other wallets alike, `service_unavailable`.
 */
export async function findTask(
  caller: CallerToken,
  id: string,
  apiVariant: ApiVariant,
  gateway: VideoGateway,
): Promise<Task> {
  const task = PUBLIC_ID.test(id)
    ? await readTasks(() => gateway.video.tasks.find(caller.walletId, id))
    : undefined;
  if (task?.apiVariant === apiVariant) return task;
  throw taskNotFound();
}

/** Of an id that leads to no task of the caller's wallet. */
export function taskNotFound(): GatewayError {
  return new GatewayError('task_not_found', 'There is no video task of this id.', { param: 'task_id' });
}

/** Reads of tasks are answered from the database alone. @throws GatewayError `service_unavailable`. */
export async function readTasks<Found>(read: () => Promise<Found>): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    throw new GatewayError('service_unavailable', 'Video tasks cannot be read at the moment.', {
      retryAfter: 1,
      cause: error,
    });
  }
}

/** A task as its API shows it. */
export function showTask(task: Task, base: string, gateway: VideoGateway) {
  const links = linkTask(task, base, gateway.video.key, Date.now());
  return task.apiVariant === 'native' ? writeNativeTask(task, { links }) : writeGenericTask(task, { links });
}

/**
 * One page of the native tasks of the caller's wallet, newest first.
 *
 * @throws GatewayError `invalid_request` naming the part of the query.
 */
export async function listNativeTasks(
  caller: CallerToken,
  query: unknown,
  base: string,
  gateway: VideoGateway,
) {
  const asked = query as Readonly<Record<string, string | string[] | undefined>>;
  const limit = readCount(asked, 'page_size', NATIVE_PAGE.usual, NATIVE_PAGE.most);
  const page = readCount(asked, 'page_num', 1, NATIVE_PAGE.most);
  const status = readStatus(asked['filter.status']);
  const ids = [asked['filter.task_ids'] ?? []].flat();
  const model = [asked['filter.model'] ?? []].flat()[0];
  const filter = {
    apiVariant: 'native',
    ...omitUndefined({
      states: status === undefined ? undefined : nativeStatusToStates(status),
      publicIds: ids.length === 0 ? undefined : ids.filter((id) => PUBLIC_ID.test(id)),
      model: model?.replaceAll('\0', ''),
    }),
  } as const;
  const offset = (page - 1) * limit;
  const { tasks, total } = await readTasks(() =>
    gateway.video.tasks.list(caller.walletId, filter, { limit, offset }),
  );
  const items: object[] = [];
  for (const task of tasks) {
    // A provider's answer of hundreds of names takes two milliseconds.
    await nextTurn();
    items.push(showTask(task, base, gateway));
  }
  return { items, total };
}

function readCount(
  query: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
  fallback: number,
  most: number,
): number {
  const text = query[name];
  if (text === undefined) return fallback;
  const count = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= most) return count;
  throw new GatewayError('invalid_request', `${name} must be an integer from 1 to ${most}.`, { param: name });
}

/** Statuses of the provider's API that this gateway shows as failures. */
const ALSO_FAILED: ReadonlySet<string> = new Set(['cancelled', 'expired']);

function readStatus(text: string | string[] | undefined): NativeTaskStatus | undefined {
  if (text === undefined) return undefined;
  const known = NATIVE_TASK_STATUSES.find((status) => status === text);
  if (known) return known;
  if (typeof text === 'string' && ALSO_FAILED.has(text)) return 'failed';
  throw new GatewayError(
    'invalid_request',
    `filter.status must be one of ${NATIVE_TASK_STATUSES.join(', ')}.`,
    { param: 'filter.status' },
  );
}
