import type { CallerToken, Task } from '@mg/contract';
import type { WalletTasks } from '@mg/persistence/gateway';
import { deriveTaskKey } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import type { VideoGateway } from './video-context.js';
import { findTask, listNativeTasks } from './show-tasks.js';

const CALLER = { id: 't', userId: 'u', walletId: 'w' } as CallerToken;
const TASK = {
  publicId: 'task_1',
  apiVariant: 'generic',
  state: 'running',
  model: 'm',
  createdAt: 0,
} as Task;

function kitOver(tasks: Partial<WalletTasks>): VideoGateway {
  return { video: { tasks, key: deriveTaskKey('a key for tests') } } as unknown as VideoGateway;
}

describe('a poll', () => {
  it("H3: asks for the tasks of the wallet of the caller's key only", async () => {
    const asked: string[][] = [];
    const gateway = kitOver({
      find: async (walletId, publicId) => {
        asked.push([walletId, publicId]);
        return TASK;
      },
    });
    expect(await findTask(CALLER, 'task_1', 'generic', gateway)).toBe(TASK);
    expect(asked).toEqual([['w', 'task_1']]);
  });

  it.each([
    ['of the other API', 'task_1', 'native'],
    ['with a name that no task has', "task_1'; --", 'generic'],
    ['with a NUL', 'task_\0', 'generic'],
  ] as const)('of a task %s finds none', async (_case, id, apiVariant) => {
    const gateway = kitOver({ find: async () => TASK });
    await expect(findTask(CALLER, id, apiVariant, gateway)).rejects.toMatchObject({
      code: 'task_not_found',
      status: 502,
    });
  });

  it('is a 503 while the database is away', async () => {
    const gateway = kitOver({ find: async () => Promise.reject(new Error('cut')) });
    await expect(findTask(CALLER, 'task_1', 'generic', gateway)).rejects.toMatchObject({
      code: 'service_unavailable',
      status: 503,
      retryAfter: 1,
    });
  });
});

describe('a list', () => {
  const gateway = kitOver({ list: async () => ({ tasks: [{ ...TASK, apiVariant: 'native' }], total: 11 }) });

  it('shows tasks in the words of their API', async () => {
    const page = await listNativeTasks(
      CALLER,
      { page_num: '2', 'filter.status': 'running' },
      'http://x',
      gateway,
    );
    expect(page).toMatchObject({ total: 11, items: [{ id: 'task_1', status: 'running' }] });
  });

  it('shows one task after another, with a turn of the event loop in between', async () => {
    const many = Array.from({ length: 40 }, () => ({ ...TASK, apiVariant: 'native' as const }));
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const of = kitOver({ list: async () => ({ tasks: many, total: many.length }) });
    const page = await listNativeTasks(CALLER, {}, 'http://x', of);
    clearImmediate(timer);
    expect(page.items).toHaveLength(many.length);
    expect(turns).toBeGreaterThanOrEqual(many.length - 1);
  });

  it.each([
    [{ page_num: '0' }, 'page_num'],
    [{ page_size: '501' }, 'page_size'],
    [{ page_size: ['1', '2'] }, 'page_size'],
    [{ 'filter.status': 'completed' }, 'filter.status'],
  ])('with %j is refused for %s', async (query, param) => {
    await expect(listNativeTasks(CALLER, query, '', gateway)).rejects.toMatchObject({ param, status: 400 });
  });
});
