import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  chownSync,
} from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedService, startEmbeddedPostgres } from '@mg/embedded';
import { Client } from 'pg';
import { waitUntil } from '../wait-until.js';

const ARCHIVED_WITHIN_MS = 30_000;
const REPLAYED_WITHIN_MS = 120_000;
/** Postgres writes there under its own account. */
const OPEN_TO_ALL = 0o777;

/** A restored server must be given no less than the lost one had, or it refuses to replay. */
const PRIMARY = { wal_level: 'replica', max_wal_senders: '2' } as const;

/** Where a Postgres lives and what is kept apart of it. */
export interface BackupPlan {
  /** Directory of the server. */
  readonly directory: string;
  /** Base backup and archived log: all that is left when the server's machine is lost. */
  readonly backup: string;
}

/** A Postgres that archives its write-ahead log, as one in production does. */
export function startArchivedPostgres({ directory, backup }: BackupPlan): Promise<EmbeddedService> {
  const archive = join(backup, 'wal');
  mkdirSync(archive, { recursive: true });
  chmodSync(archive, OPEN_TO_ALL);
  return startEmbeddedPostgres({
    directory,
    settings: {
      ...PRIMARY,
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    },
  });
}

/**
 * Copies the files of a running server between `pg_backup_start` and `pg_backup_stop`, as pg_basebackup does.
 *
 * @see https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function takeBaseBackup(url: string, { directory, backup }: BackupPlan): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('drill', true)`);
    const left = [
      './pg_wal/*',
      './postmaster.pid',
      './postmaster.opts',
      './pg_replslot/*',
      './pg_dynshmem/*',
    ];
    const exclude = left.map((path) => `--exclude=${path}`);
    // 1 says that a file changed while it was read: the write-ahead log makes up for it.
    runTar(
      ['--create', '--file', join(backup, 'base.tar'), ...exclude, '-C', join(directory, 'data'), '.'],
      [0, 1],
    );
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    writeFileSync(join(backup, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  copyFileSync(join(directory, 'password'), join(backup, 'password'));
}

/** Waits until all that has been committed is in the archive. In production `archive_timeout` says how long that takes. */
export async function archiveEverything(url: string, { backup }: BackupPlan): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
    const file = join(backup, 'wal', rows[0]?.file ?? '');
    await waitUntil('the last log file is archived', () => existsSync(file), ARCHIVED_WITHIN_MS);
  } finally {
    await client.end();
  }
}

/** Ends the server as a power cut does and loses everything that it had. */
export async function loseServer(postgres: EmbeddedService, { directory }: BackupPlan): Promise<void> {
  const [pid] = readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}

/** Makes a server elsewhere from the base backup, and has it replay the archive to its end. */
export async function restoreServer(directory: string, backup: string): Promise<EmbeddedService> {
  const data = join(directory, 'data');
  mkdirSync(data, { recursive: true });
  copyFileSync(join(backup, 'password'), join(directory, 'password'));
  runTar(['--extract', '--file', join(backup, 'base.tar'), '-C', data], [0]);
  const { uid, gid } = statSync(join(data, 'PG_VERSION'));
  for (const [name, text] of [
    ['backup_label', readFileSync(join(backup, 'backup_label'), 'utf8')],
    ['recovery.signal', ''],
  ] as const) {
    writeFileSync(join(data, name), text);
    chownSync(join(data, name), uid, gid);
  }
  const postgres = await startEmbeddedPostgres({
    directory,
    settings: { ...PRIMARY, restore_command: `cp ${join(backup, 'wal')}/%f %p` },
  });
  await waitUntil('the log is replayed', () => isReplayed(postgres.url), REPLAYED_WITHIN_MS);
  return postgres;
}

async function isReplayed(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    const { rows } = await client.query<{ replaying: boolean }>('select pg_is_in_recovery() as replaying');
    return rows[0]?.replaying === false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function runTar(parameters: readonly string[], accepted: readonly number[]): void {
  const { status, stderr } = spawnSync('tar', parameters, { encoding: 'utf8' });
  if (!accepted.includes(status ?? -1)) throw new Error(`tar ended with ${status}: ${stderr}`);
}
