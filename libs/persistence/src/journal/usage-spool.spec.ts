import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HoldOwner, type JournalRow, newId, NO_USAGE } from '@mg/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Replay, replayUsage } from './replay-usage.js';
import { nameSegment, readSegment, writeLine } from './segment-file.js';
import { UsageSpool } from './usage-spool.js';

let parent: string;
let directory: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'usage-'));
  directory = join(parent, 'usage');
});

afterEach(() => rmSync(parent, { recursive: true }));

const newRow = (): JournalRow => ({
  requestId: newId(),
  seq: 1_000_000,
  phase: 'usage',
  usage: { ...NO_USAGE, inputTokens: 3 },
  estimated: false,
});
const newLife = (instance: string): HoldOwner => ({ instance, epoch: crypto.randomUUID() });

function openSpool(owner = newLife('gateway/a'), path = directory) {
  const failures: Error[] = [];
  const spool = new UsageSpool({ directory: path, owner, onFailure: (error) => failures.push(error) });
  return { spool, failures };
}

function readAll(): JournalRow[] {
  return readdirSync(directory).flatMap(
    (name) => readSegment(readFileSync(join(directory, name), 'utf8')).rows as JournalRow[],
  );
}

describe('the usage spool', () => {
  it('F3: has a row on file when it is appended, and no file once Postgres has all rows', () => {
    const { spool } = openSpool();
    const rows = [newRow(), newRow()];
    for (const row of rows) expect(spool.append(row)).toBe(true);
    expect(readAll()).toEqual(rows);
    expect(spool.level).toMatchObject({ rows: 2 });
    expect(spool.level.bytes).toBe(rows.map(writeLine).join('').length);

    spool.drop(rows.slice(0, 1));
    expect(readdirSync(directory)).toHaveLength(1);
    spool.drop(rows);
    expect(readdirSync(directory)).toEqual([]);
    expect(spool.level).toEqual({ rows: 0, bytes: 0, oldestSeconds: 0 });
  });

  it('is for nobody else to read', () => {
    const { spool } = openSpool();
    spool.append(newRow());
    const [name = ''] = readdirSync(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  });

  it('lets go of what is written while rows keep coming', () => {
    const { spool } = openSpool();
    const rows = Array.from({ length: 12_000 }, newRow);
    for (const [place, row] of rows.entries()) {
      spool.append(row);
      const earlier = rows[place - 100];
      if (earlier) spool.drop([earlier]);
    }
    expect(readdirSync(directory).length).toBeLessThanOrEqual(2);
    expect(spool.level).toMatchObject({ rows: 100 });
  });

  it('says once that a disk takes nothing, and takes rows again when it does', () => {
    const blocked = join(parent, 'file');
    writeFileSync(blocked, '');
    const { spool, failures } = openSpool(newLife('gateway/a'), join(blocked, 'usage'));
    expect([spool.append(newRow()), spool.append(newRow())]).toEqual([false, false]);
    expect(failures).toHaveLength(1);
    expect(spool.failures).toBe(2);
    rmSync(blocked);
    expect(spool.append(newRow())).toBe(true);
  });
});

describe('the replay of usage', () => {
  const written: JournalRow[] = [];
  const refused: (JournalRow | undefined)[] = [];

  beforeEach(() => {
    written.length = 0;
    refused.length = 0;
  });

  function replay(
    owner: HoldOwner,
    isStart: boolean,
    refuse?: (row: JournalRow) => unknown,
  ): Promise<Replay> {
    return replayUsage({
      directory,
      owner,
      isStart,
      onRefused: (_error, row) => refused.push(row),
      write: async (rows) => {
        const error = rows.map((row) => refuse?.(row)).find((found) => found !== undefined);
        if (error) throw error;
        written.push(...rows);
      },
    });
  }

  function leave(owner: HoldOwner, ageSeconds = 0): JournalRow {
    const row = newRow();
    openSpool(owner).spool.append(row);
    const touched = Date.now() / 1_000 - ageSeconds;
    for (const name of readdirSync(directory)) {
      if (name.includes(owner.epoch)) utimesSync(join(directory, name), touched, touched);
    }
    return row;
  }

  it('M5: reads a segment of thousands of rows in several turns of the event loop, and all of it', async () => {
    const ended = { instance: 'of-many', epoch: newId() };
    const rows = Array.from({ length: 3_000 }, newRow);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, nameSegment(ended, 1)), rows.map(writeLine).join(''));
    let turns = 0;
    let timer = setImmediate(function count() {
      turns++;
      timer = setImmediate(count);
    });
    let turnsBefore: number | undefined;
    await replayUsage({
      directory,
      owner: { instance: 'of-many', epoch: newId() },
      isStart: true,
      onRefused: () => undefined,
      write: async (some) => {
        turnsBefore ??= turns;
        written.push(...some);
      },
    });
    clearImmediate(timer);
    expect(written).toEqual(rows);
    expect(turnsBefore).toBeGreaterThanOrEqual(8);
  });

  it('F3: writes what an earlier epoch of the same name left, at once', async () => {
    const row = leave(newLife('gateway/a'));
    expect(await replay(newLife('gateway/a'), true)).toMatchObject({ rows: 1, left: { rows: 0 } });
    expect(written).toEqual([row]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('F3: writes what a process of another name left once it is silent for a minute', async () => {
    leave(newLife('gateway/living'), 50);
    const row = leave(newLife('gateway/dead'), 70);
    expect(await replay(newLife('gateway/a'), true)).toMatchObject({ rows: 1 });
    expect(written).toEqual([row]);
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('leaves a process its own segments, however long they wait, and another epoch of its name while it may live', async () => {
    const owner = newLife('gateway/a');
    leave(owner, 500);
    leave(newLife('gateway/a'), 10);
    expect(await replay(owner, false)).toMatchObject({ rows: 0, left: { rows: 0 } });
    expect(readdirSync(directory)).toHaveLength(2);
  });

  it('knows a living process by its touch, though it has no rows to add', () => {
    const { spool } = openSpool();
    spool.append(newRow());
    const [name = ''] = readdirSync(directory);
    utimesSync(join(directory, name), 0, 0);
    spool.touch();
    expect(Date.now() - statSync(join(directory, name)).mtimeMs).toBeLessThan(30_000);
  });

  it('keeps everything for the next time while Postgres is away', async () => {
    const rows = [leave(newLife('gateway/b'), 70), leave(newLife('gateway/c'), 90)];
    const owner = newLife('gateway/a');
    const away = await replay(owner, false, () => new Error('connection lost'));
    expect(away).toMatchObject({ rows: 0, left: { rows: 2 } });
    expect(away.left.oldestSeconds).toBeGreaterThan(80);
    expect((await replay(owner, false)).rows).toBe(2);
    expect(written.map(({ requestId }) => requestId).sort()).toEqual(
      rows.map(({ requestId }) => requestId).sort(),
    );
  });

  it('keeps aside what Postgres refuses and what is no row, and is not held up by it', async () => {
    const owner = newLife('gateway/b');
    const [good, bad] = [newRow(), newRow()];
    leave(owner, 70);
    writeFileSync(
      join(directory, nameSegment(owner, 0)),
      `${writeLine(bad)}not a row\n${writeLine(good)}${writeLine(newRow()).slice(0, -9)}`,
    );
    const refusal = (row: JournalRow) =>
      row.requestId === bad.requestId ? Object.assign(new Error('bad'), { code: '22P02' }) : undefined;
    expect(await replay(newLife('gateway/b'), true, refusal)).toMatchObject({ rows: 1, left: { rows: 0 } });
    expect(written).toEqual([good]);
    expect(refused).toEqual([bad, undefined]);
    expect(readdirSync(directory)).toEqual(['refused.jsonl']);
    expect(readFileSync(join(directory, 'refused.jsonl'), 'utf8')).toBe(`not a row\n${writeLine(bad)}`);
    expect(statSync(join(directory, 'refused.jsonl')).mode & 0o777).toBe(0o600);
  });
});
