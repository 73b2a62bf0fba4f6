import { randomUUID } from 'node:crypto';
import { formatUsd, omitUndefined, parseUsd } from '@mg/contract';
import { expect } from 'vitest';
import type { WalletRow } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { waitUntil } from '../wait-until.js';
import type { Attack, AttackTarget } from './attack.js';
import { CHAT_CASES } from './overdraw/chat-cases.js';
import { type MaximumCostProvider, startMaximumCostProvider } from './overdraw/maximum-cost-provider.js';
import { createModels, slugOf } from './overdraw/models.js';
import { OTHER_CASES } from './overdraw/other-cases.js';
import type { OverdrawCase } from './overdraw/overdraw-case.js';
import { createTwoUsers, type TwoUsers } from './two-users.js';

const CALLS = { short: 2, full: 300 };
const FUNDS = parseUsd('1');
const SETTLED_WITHIN_MS = 30_000;
const OK = 200;
const REFUSED = 400;
const UNAVAILABLE = 503;
/** What ends a call that costs nothing: no funds, no room for so many bodies, a wallet that too many ask for at once. */
const FREE: ReadonlySet<number> = new Set([402, 429, UNAVAILABLE]);
const ANSWERED_WITHIN_MS = 60_000;

interface Scene {
  readonly target: AttackTarget;
  readonly users: TwoUsers;
  readonly wallet: WalletRow;
  readonly provider: MaximumCostProvider;
}

export const overdrawWallet: Attack = {
  threats: ['T16', 'T17'],
  title: 'no request costs more than was held for it, however expensively its provider reads it',
  timeoutMs: { short: 60_000, full: 900_000 },
  async run(target) {
    const provider = await startMaximumCostProvider();
    const users = await createTwoUsers(target.deployment);
    const channels = await createModels(users.administrator, provider.url);
    try {
      const [wallet] = await users.member.list<WalletRow>('/wallets');
      if (!wallet) throw new Error('the member has no wallet');
      const scene = { target, users, wallet, provider };
      await waitUntil('the models', () => isServed(scene));
      const faults: string[] = [];
      for (const trick of [...CHAT_CASES, ...OTHER_CASES])
        faults.push(...(await runOverdrawCase(trick, scene)));
      expect(faults).toEqual([]);
    } finally {
      for (const id of channels) await users.administrator.demand('DELETE', `/channels/${id}`);
      await provider.close();
    }
  },
};

async function isServed({ target, users }: Scene): Promise<boolean> {
  const { text } = await request(target.deployment, '/v1/models', {
    headers: { authorization: `Bearer ${users.memberKey}` },
  });
  return text.includes(slugOf('openai')) && text.includes(slugOf('film-generic'));
}

/** Rounds of a trick at most. */
const ROUNDS = 3;

/**
 * Fills the wallet up to one dollar and asks many times at once. On a busy machine billing may answer none of those in time whom
 * the gateway has room for: as clients do, everybody asks again then.
 *
 * @returns what is wrong with the bill.
 */
async function runOverdrawCase(trick: OverdrawCase, scene: Scene): Promise<string[]> {
  for (let round = 1; ; round++) {
    const { statuses, faults } = await playRound(trick, scene);
    if (round === ROUNDS || statuses.includes(OK) || !statuses.includes(UNAVAILABLE)) return faults;
  }
}

async function playRound(
  trick: OverdrawCase,
  scene: Scene,
): Promise<{ readonly statuses: readonly number[]; readonly faults: string[] }> {
  const { provider, target } = scene;
  await fillWallet(scene);
  provider.expectTrick(trick);
  const count = target.full ? CALLS.full : CALLS.short;
  const statuses = await Promise.all(Array.from({ length: count }, () => send(trick, scene)));
  const balance = await waitForBalance(scene);
  const { calls, cost } = provider.bill;
  const answered = statuses.filter((status) => status === OK).length;
  const facts =
    `${trick.name}: ${answered} of ${count} answered (${[...new Set(statuses)].join()}), ` +
    `provider ${formatUsd(cost)}, wallet ${formatUsd(balance)}`;
  target.say(facts);
  const faults = isWithinBounds(trick, { statuses, calls, cost, balance }) ? [] : [facts];
  return { statuses, faults };
}

interface Outcome {
  readonly statuses: readonly number[];
  /** Calls that reached the provider, and what it bills for them, in nano-dollars. */
  readonly calls: number;
  readonly cost: bigint;
  readonly balance: bigint;
}

/** Everything that was billed to us was charged, and nothing was spent that was not there. */
function isWithinBounds({ refused }: OverdrawCase, { statuses, calls, cost, balance }: Outcome): boolean {
  if (refused) return calls === 0 && statuses.every((status) => status === REFUSED);
  return (
    statuses.includes(OK) &&
    statuses.every((status) => status === OK || FREE.has(status)) &&
    balance >= 0n &&
    FUNDS - balance >= cost
  );
}

async function send(
  { model, path, write, headers }: OverdrawCase,
  { target, users }: Scene,
): Promise<number> {
  const slug = slugOf(model);
  const body = write(slug);
  const { status } = await request(target.deployment, path.replace('{model}', slug), {
    method: 'POST',
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    headers: {
      authorization: `Bearer ${users.memberKey}`,
      ...omitUndefined({ 'content-type': body instanceof FormData ? undefined : 'application/json' }),
      ...headers,
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
  return status;
}

async function fillWallet({ users: { administrator }, wallet }: Scene): Promise<void> {
  const { balance } = await administrator.demand<WalletRow>('GET', `/wallets/${wallet.id}`);
  const missing = FUNDS - parseUsd(balance);
  if (missing === 0n) return;
  await administrator.demand('POST', `/wallets/${wallet.id}/topups`, {
    amount: formatUsd(missing),
    idempotency_key: randomUUID(),
  });
}

/** The balance once nothing is held any more, in nano-dollars. */
function waitForBalance({ users, wallet }: Scene): Promise<bigint> {
  const ask = async () => {
    const path = `/wallets/${wallet.id}`;
    const { balance, held } = await users.administrator.demand<WalletRow>('GET', path);
    return parseUsd(held) === 0n && parseUsd(balance);
  };
  return waitUntil('the bill', ask, SETTLED_WITHIN_MS);
}
