import type { DataSource } from 'typeorm';
import { sealAllCredentials } from './channel-credentials.js';
import { openChannelSecrets } from './open-channel-secrets.js';
import { SecretError, type SecretKey } from './seal-secret.js';
import { writeCredentials } from './write-credentials.js';

interface WholeRow {
  readonly channel_id: string;
  readonly sealed_keys: string;
  readonly hints: string[];
}

/**
 * Seals part by part what was sealed as a whole, for an owner of the database who has the key. The whole stays for
 * processes of the version before; what cannot be opened stays as it is.
 */
export async function splitChannelSecrets(database: DataSource, key: SecretKey): Promise<void> {
  const rows = await database.query<WholeRow[]>(
    `select s.channel_id, s.sealed_keys, s.hints from channel_secret s
      where not exists (select from channel_credential c where c.channel_id = s.channel_id)`,
  );
  for (const { channel_id: channelId, sealed_keys: sealed, hints } of rows) {
    try {
      const secrets = openChannelSecrets(sealed, channelId, key);
      await writeCredentials(database.manager, channelId, sealAllCredentials(secrets, channelId, key), hints);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
    }
  }
}
