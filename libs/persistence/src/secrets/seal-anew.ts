import type { DataSource } from 'typeorm';
import { reseal, sealAllCredentials, type SealedCredential } from './channel-credentials.js';
import { openChannelSecrets } from './open-channel-secrets.js';
import { isSealedWith, openSecret, SecretError, sealSecret, type SecretKey } from './seal-secret.js';
import { writeCredentials } from './write-credentials.js';

interface WholeRow {
  readonly channel_id: string;
  readonly sealed_keys: string;
  readonly hints: string[];
  readonly split: boolean;
}

interface PartRow extends SealedCredential {
  readonly channel_id: string;
  readonly hints: string[];
}

/**
 * Seals the credentials of channels as they are sealed now, for an owner of the database who has the key: part by part what
 * an earlier version sealed as a whole, which stays for processes of that version, and with this key what the one before
 * sealed. What cannot be opened stays as it is.
 *
 * @returns how many secrets were sealed anew.
 */
export async function sealAnew(database: DataSource, key: SecretKey): Promise<number> {
  return (await sealWholes(database, key)) + (await sealParts(database, key));
}

async function sealWholes(database: DataSource, key: SecretKey): Promise<number> {
  const rows = await database.query<WholeRow[]>(
    `select s.channel_id, s.sealed_keys, s.hints,
            exists (select from channel_credential c where c.channel_id = s.channel_id) as split
       from channel_secret s`,
  );
  return countOpened(rows, async ({ channel_id: channelId, sealed_keys: sealed, hints, split }) => {
    const isCurrent = isSealedWith(sealed, key);
    if (split && isCurrent) return false;
    const text = openSecret(sealed, channelId, key);
    if (!split) {
      const secrets = openChannelSecrets(sealed, channelId, key);
      await writeCredentials(database.manager, channelId, sealAllCredentials(secrets, channelId, key), hints);
    }
    if (!isCurrent) {
      await database.query(
        'update channel_secret set sealed_keys = $2 where channel_id = $1 and sealed_keys = $3',
        [channelId, sealSecret(text, channelId, key), sealed],
      );
    }
    return true;
  });
}

async function sealParts(database: DataSource, key: SecretKey): Promise<number> {
  const rows = await database.query<PartRow[]>(
    'select channel_id, part, sealed, fingerprint, hints, removed from channel_credential where not removed',
  );
  const old = rows.filter((row) => !isSealedWith(row.sealed, key));
  return countOpened(old, async (row) => {
    const anew = reseal(row, row.channel_id, key);
    // The console may have written another value meanwhile.
    await database.query(
      `update channel_credential set sealed = $3, fingerprint = $4 where channel_id = $1 and part = $2 and sealed = $5`,
      [row.channel_id, row.part, anew.sealed, anew.fingerprint, row.sealed],
    );
    return true;
  });
}

async function countOpened<Row>(rows: readonly Row[], seal: (row: Row) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (const row of rows) {
    try {
      if (await seal(row)) count += 1;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
    }
  }
  return count;
}
