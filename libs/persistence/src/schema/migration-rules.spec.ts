import type { QueryRunner } from 'typeorm';
import { describe, expect, it } from 'vitest';
import type { Migration } from './migration.js';
import { MIGRATIONS } from './migrations.js';

/** Those before were written before anybody ran a version that they could disturb. */
const FIRST_UNDER_RULES = 4;

interface Rule {
  readonly breaks: RegExp;
  readonly sentence: string;
}

/** What the version before could stumble over, or wait for. */
const EXPAND_RULES: readonly Rule[] = [
  {
    breaks: /\bdrop (table|view|function|type|schema|sequence)\b/,
    sentence: 'drops what the version before may use',
  },
  { breaks: /\bdrop (column|default|not null)\b/, sentence: 'drops a part of a table' },
  { breaks: /\brename\b/, sentence: 'renames what the version before knows by its name' },
  { breaks: /\balter (column )?\S+ (set data )?type\b/, sentence: 'rewrites a column under a lock' },
  { breaks: /\bset not null\b/, sentence: 'refuses rows that the version before writes' },
  {
    breaks: /\badd (column )?(if not exists )?\w+ (?!.*\bdefault\b)[^,]*\bnot null\b/,
    sentence: 'adds a column that the version before does not fill',
  },
  {
    breaks: /\badd constraint\b(?!.*\bnot valid\b)/,
    sentence: 'checks every row under a lock: add the constraint not valid, and validate it apart',
  },
  { breaks: /\b(truncate|vacuum full|cluster)\b/, sentence: 'locks out everybody' },
];

/** Statements without comments and without the bodies of functions, in lower case and on one line each. */
function listStatements(sql: string): string[] {
  return sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\$\$[\s\S]*?\$\$/g, '$$$$')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

function findFaults(kind: Migration['kind'], sql: readonly string[]): string[] {
  const statements = sql.flatMap(listStatements);
  const rules = kind === 'expand' ? EXPAND_RULES : [];
  const broken = statements.flatMap((statement) =>
    rules.filter(({ breaks }) => breaks.test(statement)).map(({ sentence }) => `${statement}: ${sentence}`),
  );
  const dropped = kind === 'expand' ? findDroppedConstraints(statements) : [];
  return [...broken, ...dropped, ...findBlockingIndexes(statements), ...findDeadlocks(statements)];
}

/** A constraint may make room for another of its name, which allows more: the version before breaks neither. */
function findDroppedConstraints(statements: readonly string[]): string[] {
  return statements
    .filter((statement) => {
      const [, table, name] = /^alter table (\w+) drop constraint (\w+)/.exec(statement) ?? [];
      if (name === undefined) return /\bdrop constraint\b/.test(statement);
      return !statements.some((other) => other.startsWith(`alter table ${table} add constraint ${name} `));
    })
    .map((statement) => `${statement}: drops a part of a table`);
}

/**
 * A migration that locks wallet before token waits for a call that has read its token and waits for the wallet: while
 * there is traffic, it gives way each time. `lock table` is for a table that the migration changes later.
 */
function findDeadlocks(statements: readonly string[]): string[] {
  const token = statements.findIndex((statement) => /^(alter|lock) table token\b/.test(statement));
  const wallet = statements.findIndex((statement) =>
    /^(alter|lock) table wallet\b|\breferences wallet\b/.test(statement),
  );
  const isReversed = token !== -1 && wallet !== -1 && wallet < token;
  const unneeded = statements.filter((statement) => {
    const table = /^lock table (\w+)/.exec(statement)?.[1];
    return table !== undefined && !statements.some((other) => other.startsWith(`alter table ${table} `));
  });
  return [
    ...(isReversed ? [`${statements[wallet]}: locks wallet before token, calls lock token first`] : []),
    ...unneeded.map((statement) => `${statement}: locks out everybody`),
  ];
}

/** An index over a table that is new here is empty; over any other it is built beside the traffic. */
function findBlockingIndexes(statements: readonly string[]): string[] {
  const made = new Set(
    statements.flatMap((statement) => /^create (?:unlogged )?table (\w+)/.exec(statement)?.[1] ?? []),
  );
  return statements
    .filter((statement) => {
      const index = /^create (?:unique )?index (concurrently )?.*? on (\w+)/.exec(statement);
      return index !== null && index[1] === undefined && !made.has(index[2] ?? '');
    })
    .map((statement) => `${statement}: keeps everybody from writing: create the index concurrently`);
}

/** Everything that a migration would send, from a database that answers nothing. */
async function readSql(migration: Migration): Promise<string[]> {
  const sent: string[] = [];
  const query = async (sql: string) => {
    sent.push(sql);
    return [];
  };
  await migration.up({ query, manager: { query } } as unknown as QueryRunner);
  return sent;
}

const migrations = MIGRATIONS.slice(FIRST_UNDER_RULES).map((Made) => new Made() as unknown as Migration);

describe('every migration', () => {
  it.each(migrations)('$name says whether it expands or contracts', (migration) => {
    expect(['expand', 'contract']).toContain(migration.kind);
    expect(migration.since !== undefined).toBe(migration.kind === 'contract');
    expect(migration.since ?? '0.0.0').toMatch(/^\d+\.\d+\.\d+$/);
  });

  it.each(migrations)('$name may run while the version before serves', async (migration) => {
    expect(findFaults(migration.kind, await readSql(migration))).toEqual([]);
  });

  it('has a name and a number of its own, in order', () => {
    const names = MIGRATIONS.map((Made) => new Made().name);
    const numbers = names.map((name) => Number(name.slice(-13)));
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
    expect(new Set(numbers).size).toBe(names.length);
  });
});

describe('the rules', () => {
  it.each([
    'drop table wallet',
    'alter table wallet drop column name',
    'alter table wallet drop constraint c',
    'alter table wallet rename column name to title',
    'alter function topup() rename to credit',
    'alter table wallet alter column name set not null',
    'alter table wallet alter name type varchar(3)',
    'alter table wallet add column colour text not null',
    'alter table wallet add constraint c check (balance > 0)',
    'create index wallet_by_name on wallet (name)',
    'truncate wallet',
    'lock table wallet',
    'alter table wallet add column colour text; alter table token add column colour text',
    'create table t (wallet_id uuid references wallet (id)); alter table token add column colour text',
  ])('keep an expanding migration from: %s', (statement) => {
    expect(findFaults('expand', [`${statement};`])).toHaveLength(1);
  });

  it.each([
    'alter table wallet add column colour text',
    `alter table wallet add column colour text not null default 'red'`,
    'alter table wallet add constraint c check (balance > 0) not valid',
    'alter table wallet validate constraint c',
    'alter table wallet drop constraint c; alter table wallet add constraint c check (balance > 0) not valid',
    'create index concurrently wallet_by_name on wallet (name)',
    'create table new_one (id uuid primary key, name text not null); create index new_by_name on new_one (name)',
    'create function f() returns void language sql as $$ truncate wallet; drop table wallet; $$',
    '-- drop table wallet\nselect 1',
    'lock table token; create table t (wallet_id uuid references wallet (id)); alter table token add column colour text',
  ])('let an expanding migration: %s', (statement) => {
    expect(findFaults('expand', [statement])).toEqual([]);
  });

  it('let a contracting migration drop, and not lock out writers', () => {
    expect(findFaults('contract', ['drop table channel_secret'])).toEqual([]);
    expect(findFaults('contract', ['create index i on wallet (name)'])).toHaveLength(1);
  });
});
