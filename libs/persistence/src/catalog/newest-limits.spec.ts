import { type ScopedLimits } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { findToken } from './find-caller-token.js';
import { loadChannel } from './load-channel.js';
import { loadModel } from './load-model.js';

const KEY = deriveSecretKey('0'.repeat(64));

/** What each kind of row is read as, as far as its limits go. */
const ROWS = {
  token: { id: 't', allowedModels: null, allowedIps: null, captureSeconds: null, expiresAt: null },
  channel: { id: 'c', disabledKeys: [], models: {}, settings: {}, timeouts: {} },
  model: { slug: 'm', createdAt: new Date(0), fallback: [], aliases: [] },
} as const;

/** A database whose first answer comes when it is let go, and the second one at once, with limits changed meanwhile. */
function openDatabase(row: object) {
  const first = Promise.withResolvers<undefined>();
  let reads = 0;
  const find = async ({ where }: { where: object }) => {
    // The prices of a model.
    if ('modelSlug' in where) return [];
    const rpm = ++reads === 1 ? 60 : 6;
    if (rpm === 60) await first.promise;
    return [{ ...row, limits: { rpm } }];
  };
  const database = { getRepository: () => ({ find }) } as unknown as DataSource;
  return { database, letGo: () => first.resolve(undefined) };
}

const READS: Readonly<
  Record<keyof typeof ROWS, (database: DataSource) => Promise<ScopedLimits | undefined>>
> = {
  token: async (database) => (await findToken(database, 't'))?.limits?.[0],
  channel: async (database) => (await loadChannel(database, KEY, 'c'))?.limits,
  model: async (database) => (await loadModel(database, 'm'))?.limits,
};

describe('of two reads of the same limits the one that began later has the newer ones', () => {
  it.each(['token', 'channel', 'model'] as const)('%s', async (kind) => {
    const { database, letGo } = openDatabase(ROWS[kind]);
    const early = READS[kind](database);
    const newer = await READS[kind](database);
    letGo();
    const older = await early;
    expect([older?.limits.rpm, newer?.limits.rpm]).toEqual([60, 6]);
    expect(newer?.sequence ?? 0).toBeGreaterThan(older?.sequence ?? Infinity);
  });
});
