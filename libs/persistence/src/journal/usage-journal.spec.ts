import { type JournalRow, newId, NO_USAGE } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { UsageJournal } from './usage-journal.js';

function setUp({ keeps = true, isAway = () => false }: { keeps?: boolean; isAway?: () => boolean } = {}) {
  const written: JournalRow[] = [];
  const kept = new Set<JournalRow>();
  const aside: string[] = [];
  const journal = new UsageJournal({
    write: async (rows) => {
      if (isAway()) throw new Error('connection lost');
      if (rows.some(({ usage }) => usage.variant === 'bad'))
        throw Object.assign(new Error('bad'), { code: '22003' });
      written.push(...rows);
    },
    spool: {
      append: (row) => keeps && kept.add(row).has(row),
      drop: (rows) => rows.forEach((row) => kept.delete(row)),
      has: (row) => kept.has(row),
    },
    maxBatch: 10,
    delayMs: 5,
    onFailure: () => undefined,
    setAside: async (line) => void aside.push(line),
  });
  return { journal, written, kept, aside };
}

const newRow = (changes: Partial<JournalRow> = {}): JournalRow => ({
  requestId: newId(),
  seq: 1,
  phase: 'usage',
  usage: NO_USAGE,
  estimated: false,
  ...changes,
});

describe('the journal of usage', () => {
  it('F3: lets an answer go once its row is kept, and drops the row once it is written', async () => {
    const { journal, written, kept } = setUp();
    const row = newRow();
    await journal.charge(row);
    expect([...kept]).toEqual([row]);
    expect(written).toEqual([]);
    await journal.flush();
    expect(written).toEqual([row]);
    expect(kept.size).toBe(0);
  });

  it('F3: has an answer wait for its row where nothing keeps it', async () => {
    const { journal, written } = setUp({ keeps: false });
    const row = newRow();
    await journal.charge(row);
    expect(written).toEqual([row]);
  });

  it('does not let an answer wait for ever', async () => {
    const { journal, written } = setUp({ keeps: false, isAway: () => true });
    await journal.charge(newRow());
    expect(written).toEqual([]);
    await journal.close(0);
  });

  it('F3: loses nothing that is kept when it has to close, and reports what is not kept', async () => {
    const rows = [newRow(), newRow(), newRow({ phase: 'cancel' }), newRow({ phase: 'checkpoint', seq: 0 })];
    for (const [keeps, rest] of [
      [true, { spooled: 2, lost: 0 }],
      [false, { spooled: 0, lost: 2 }],
    ] as const) {
      const { journal } = setUp({ keeps, isAway: () => true });
      for (const row of rows) {
        if (row.phase === 'usage') void journal.charge(row);
        else journal.add(row);
      }
      expect(await journal.close(20)).toEqual(rest);
    }
  });

  it('F11: keeps a cancellation that reports waste until it is written, or set aside', async () => {
    const { journal, written, kept, aside } = setUp();
    const wasted = { attempt: 0, channel: 'a', reason: 'failed', usage: NO_USAGE } as const;
    const row = newRow({ phase: 'cancel', waste: [wasted] });
    await journal.charge(row);
    expect([...kept]).toEqual([row]);
    await journal.flush();
    expect(written).toEqual([row]);
    await journal.charge({ ...row, usage: { ...NO_USAGE, variant: 'bad' } });
    await journal.flush();
    await expect.poll(() => kept.size).toBe(0);
    expect(aside).toEqual([expect.stringContaining('"waste"')]);
  });

  it('keeps aside usage that Postgres refuses', async () => {
    const { journal, kept, aside } = setUp();
    const row = newRow({ usage: { ...NO_USAGE, variant: 'bad' } });
    await journal.charge(row);
    await journal.flush();
    expect(aside).toEqual([expect.stringContaining(row.requestId)]);
    await expect.poll(() => kept.size).toBe(0);
  });
});
