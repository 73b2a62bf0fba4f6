import { seedPayer } from '@mg/testkit';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../testing/open-test-database.js';
import { rehearseTasks } from './rehearse-tasks.js';

it('a rehearsal leaves nothing behind, and connections that have opened a task, of wallets that nobody has locked', async () => {
  const { database, stop } = await openTestDatabase(8);
  try {
    await rehearseTasks(database, 4);
    const seed = () => seedPayer(database, { balance: 1_000n, price: { per_second: '0.02' } });
    const [{ walletId }, { walletId: otherId }] = [await seed(), await seed()];
    const count = () =>
      database.query(
        `select (select count(*) from task) as tasks, (select count(*) from hold) as holds,
                (select count(*) from task_order) as orders, (select sum(held) from wallet) as held`,
      );
    await rehearseTasks(database, 4);
    expect(await count()).toEqual([{ tasks: '0', holds: '0', orders: '0', held: '0' }]);
    // What is rolled back has used up numbers all the same.
    const opened = async () => {
      const [sequence] = await database.query('select last_value from task_event_id_seq');
      return Number(sequence.last_value);
    };
    expect(await opened()).toBe(4);
    await database.transaction(async (holder) => {
      await holder.query('select 1 from wallet where id = $1 for update', [walletId]);
      await rehearseTasks(database, 4);
      expect(await opened()).toBe(8);
      await holder.query('select 1 from wallet where id = $1 for update', [otherId]);
      await rehearseTasks(database, 4);
      expect(await opened()).toBe(8);
    });
  } finally {
    await stop();
  }
});
