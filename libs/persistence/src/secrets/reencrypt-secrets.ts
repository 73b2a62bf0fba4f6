import type { DataSource } from 'typeorm';
import { AlertSettingEntity } from '../entities/alert.js';
import { ChannelCredentialEntity, ChannelSecretEntity } from '../entities/channel.js';
import { type AlertAddress, openAlertAddress, sealAlertAddress } from './alert-addresses.js';
import { reencryptCredential, sealAllCredentials } from './channel-credentials.js';
import { BODY_COLUMNS, reencryptBodies } from './reencrypt-bodies.js';
import { openChannelSecrets } from './open-channel-secrets.js';
import { isSealedWith, openSecret, SecretError, sealSecret, type SecretKey } from './seal-secret.js';
import { openTotpSecret, sealTotpSecret } from './totp-secrets.js';
import { writeCredentials } from './write-credentials.js';

/** Every encrypted column of the schema, as `table.column`. */
export const REENCRYPTED_COLUMNS: readonly string[] = [
  'channel_secret.sealed_keys',
  'channel_credential.sealed',
  'alert_setting.webhook_sealed',
  'alert_setting.smtp_sealed',
  'user_totp.sealed',
  ...BODY_COLUMNS,
];

/**
 * Encrypts the credentials of channels, the addresses of alerts, the second factors of users, and what
 * `reencryptBodies` names with the current key and in the current format, for an owner of the database who has the key. Rows in
 * the format of earlier versions are split into parts and stay, re-encrypted, for processes of that version. What cannot be
 * decrypted stays as it is.
 *
 * @returns how many secrets were re-encrypted.
 */
export async function reencryptSecrets(database: DataSource, key: SecretKey): Promise<number> {
  const legacy = await reencryptLegacyRows(database, key);
  const parts = await reencryptParts(database, key);
  const addresses = await reencryptAlertAddresses(database, key);
  const factors = await reencryptTotpSecrets(database, key);
  return legacy + parts + addresses + factors + (await reencryptBodies(database, key));
}

async function reencryptLegacyRows(database: DataSource, key: SecretKey): Promise<number> {
  const secrets = database.getRepository(ChannelSecretEntity);
  const split = new Set(await listSplitChannels(database));
  return countReencrypted(await secrets.find(), async ({ channelId, sealedKeys, hints }) => {
    const isSplit = split.has(channelId);
    const isCurrent = isSealedWith(sealedKeys, key);
    if (isSplit && isCurrent) return false;
    const text = openSecret(sealedKeys, channelId, key);
    if (!isSplit) {
      const parts = sealAllCredentials(openChannelSecrets(sealedKeys, channelId, key), channelId, key);
      await writeCredentials(database.manager, channelId, parts, hints);
    }
    if (!isCurrent) {
      await secrets.update({ channelId, sealedKeys }, { sealedKeys: sealSecret(text, channelId, key) });
    }
    return true;
  });
}

/** Channels whose credentials are stored part by part already. */
async function listSplitChannels(database: DataSource): Promise<string[]> {
  const rows = await database
    .getRepository(ChannelCredentialEntity)
    .find({ select: { channelId: true, part: true } });
  return rows.map((row) => row.channelId);
}

async function reencryptParts(database: DataSource, key: SecretKey): Promise<number> {
  const credentials = database.getRepository(ChannelCredentialEntity);
  const rows = await credentials.findBy({ removed: false });
  const outdated = rows.filter((row) => !isSealedWith(row.sealed, key));
  return countReencrypted(outdated, async (row) => {
    const { channelId, part, sealed } = row;
    const current = reencryptCredential(row, channelId, key);
    // By the old text too: the console may have written another value meanwhile.
    await credentials.update(
      { channelId, part, sealed },
      { sealed: current.sealed, fingerprint: current.fingerprint },
    );
    return true;
  });
}

async function reencryptAlertAddresses(database: DataSource, key: SecretKey): Promise<number> {
  const settings = database.getRepository(AlertSettingEntity);
  const rows = (await settings.find()).flatMap(({ id, webhookSealed, smtpSealed }) => [
    { id, name: 'webhook_url', column: 'webhookSealed', sealed: webhookSealed } as const,
    { id, name: 'smtp_url', column: 'smtpSealed', sealed: smtpSealed } as const,
  ]);
  return countReencrypted(rows, async ({ id, name, column, sealed }) => {
    if (sealed === null || isSealedWith(sealed, key)) return false;
    const url = openAlertAddress(name satisfies AlertAddress, sealed, key);
    // By the old text too: the console may have written another value meanwhile.
    await settings.update({ id, [column]: sealed }, { [column]: sealAlertAddress(name, url, key) });
    return true;
  });
}

async function reencryptTotpSecrets(database: DataSource, key: SecretKey): Promise<number> {
  const rows = await database.query<{ userId: string; sealed: string }[]>(
    'select user_id as "userId", sealed from user_totp',
  );
  return countReencrypted(rows, async ({ userId, sealed }) => {
    if (isSealedWith(sealed, key)) return false;
    const current = sealTotpSecret(userId, openTotpSecret(userId, sealed, key), key);
    // By the old text too: the user may have begun anew meanwhile.
    await database.query('update user_totp set sealed = $3 where user_id = $1 and sealed = $2', [
      userId,
      sealed,
      current,
    ]);
    return true;
  });
}

async function countReencrypted<Row>(
  rows: readonly Row[],
  reencrypt: (row: Row) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (const row of rows) {
    try {
      if (await reencrypt(row)) count += 1;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
    }
  }
  return count;
}
