import type { EntityManager } from 'typeorm';
import { findSettingName, type SealedCredential } from './channel-credentials.js';

/** Writes parts of a channel's credentials over those that are stored, with one announcement. @param hints of the keys of the one part with keys. */
export async function writeCredentials(
  manager: EntityManager,
  channelId: string,
  credentials: readonly SealedCredential[],
  hints: readonly string[],
): Promise<void> {
  const rows = credentials.map((credential) => ({
    ...credential,
    hints: findSettingName(credential.part) === undefined ? hints : [],
  }));
  await manager.query('select channel_credentials_write($1, $2)', [channelId, JSON.stringify(rows)]);
}
