import type { ConfigurationFile, WalletPort } from '@mg/contract';
import type { ConsoleStore } from '@mg/persistence/console';
import type { Logger } from '@mg/runtime';
import { recordChange } from '../audit/record-change.js';
import type { PasswordHasher } from '../auth/password-hash.js';
import type { ChannelKeys } from '../channels/channel-keys.js';
import { ensureDefaultWallet } from '../wallets/default-wallets.js';
import { createAdministrator } from './administrators.js';
import { applyChannels } from './apply-channels.js';
import { applyModels } from './apply-models.js';
import { applyTokens } from './apply-tokens.js';
import { applyUsers } from './apply-users.js';
import { applyWallets } from './apply-wallets.js';
import { toFileActor } from './file-actor.js';
import { type MadeKey, writeGeneratedKey } from './generated-keys.js';

/** What applying rows to the database stands on. */
export interface ApplyParts {
  readonly store: ConsoleStore;
  readonly wallets: WalletPort;
  readonly keys: ChannelKeys;
  readonly passwords: PasswordHasher;
  readonly dataDirectory: string;
  /** Told of each key that is made for a token of the file that names none, once. */
  readonly onKeyMade?: ((made: MadeKey) => void) | undefined;
  readonly logger: Logger;
}

/**
 * Brings the database in line with the file: users and wallets first, since other rows point at them, then channels,
 * models, prices and tokens together or not at all. What is right already is not written, so that nothing is announced
 * for nothing.
 *
 * @throws ConfigurationError for what the file alone cannot show to be wrong; GatewayError when billing does not answer.
 */
export async function applyConfiguration(parts: ApplyParts, file: ConfigurationFile): Promise<void> {
  const { store, logger } = parts;
  if (file.admin) {
    const { user } = await createAdministrator(parts, file.admin);
    await ensureDefaultWallet(store, parts.wallets, user);
  }
  const wallets = await applyWallets(store, parts.wallets, file.wallets);
  const made: MadeKey[] = [];
  const changed = await store.transaction(async (transaction) => {
    const users = await applyUsers(transaction, file.users);
    const models = await applyModels(transaction, file.models);
    const channels = await applyChannels(transaction, parts.keys, file.channels);
    const tokens = await applyTokens(transaction, file.tokens, async (token, key) => {
      const path = await writeGeneratedKey(parts.dataDirectory, token.wallet, token.name, key);
      made.push({ wallet: token.wallet, token: token.name, key, path });
    });
    const after = {
      users,
      models,
      channels,
      tokens: tokens.changed,
      credit_limits: wallets.limited,
      wallets: wallets.configured,
    };
    if (Object.values(after).some((names) => names.length > 0)) {
      await recordChange(transaction, toFileActor(), {
        action: 'configuration.apply',
        targetId: 'file',
        after,
      });
    }
    return { models, channels, ...tokens };
  });
  logger.info(
    { wallets: wallets.opened, models: changed.models, channels: changed.channels, tokens: changed.changed },
    'the configuration file is applied',
  );
  for (const one of made) {
    logger.info({ path: one.path }, 'an API key was generated: read it in this file');
    parts.onKeyMade?.(one);
  }
  for (const token of changed.refused) {
    logger.warn(
      { token },
      'the key of this token was deleted in the Console and cannot be used again: set another key',
    );
  }
  await warnOfUnknownModels(parts, file);
}

async function warnOfUnknownModels({ store, logger }: ApplyParts, file: ConfigurationFile): Promise<void> {
  const fallbacks = file.models.flatMap(({ fallback = [] }) => fallback);
  const slugs = [...file.channels.flatMap((channel) => Object.keys(channel.models)), ...fallbacks];
  const unknown = new Set(await store.models.findMissing([...new Set(slugs)]));
  for (const channel of file.channels) {
    const missing = Object.keys(channel.models).filter((slug) => unknown.has(slug));
    if (missing.length > 0) {
      logger.warn(
        { channel: channel.name, models: missing },
        'the channel serves models that are not configured',
      );
    }
  }
  for (const { slug, fallback = [] } of file.models) {
    const missing = fallback.filter((name) => unknown.has(name));
    if (missing.length > 0) {
      logger.warn(
        { model: slug, fallback: missing },
        'the model falls back to models that are not configured',
      );
    }
  }
}
