import { expect } from 'vitest';
import type { WalletRow } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';
import { CHAT_CASES } from './overdraw/chat-cases.js';
import { startMaximumCostProvider } from './overdraw/maximum-cost-provider.js';
import { createModels } from './overdraw/models.js';
import { OTHER_CASES } from './overdraw/other-cases.js';
import type { OverdrawCase } from './overdraw/overdraw-case.js';
import { playBatches } from './overdraw/play-batches.js';
import { runOverdrawCase } from './overdraw/play-calls.js';
import { playSessions } from './overdraw/play-sessions.js';
import type { Scene } from './overdraw/scene.js';
import { STREAM_CASES } from './overdraw/stream-cases.js';
import { createTwoUsers } from './two-users.js';

/** Attacks on a wallet of one dollar. Each has users and models of its own, and a time limit of its own. */
export const OVERDRAW_ATTACKS: readonly Attack[] = [
  overdraw('chat', CHAT_CASES),
  overdraw('call of another operation', OTHER_CASES),
  overdraw('stream, batch or session', STREAM_CASES, async (scene) => [
    ...(await playBatches(scene)),
    ...(await playSessions(scene)),
  ]),
];

/**
 * @param what the calls that are made.
 * @param playMore calls of another kind. Answers what is wrong with their bills.
 */
function overdraw(
  what: string,
  cases: readonly OverdrawCase[],
  playMore?: (scene: Scene) => Promise<readonly string[]>,
): Attack {
  return {
    threats: ['T16', 'T17', 'T18'],
    title: `no ${what} costs more than was held for it, however expensively its provider reads it`,
    timeoutMs: { short: 240_000, full: 1_800_000 },
    async run(target) {
      const provider = await startMaximumCostProvider();
      const users = await createTwoUsers(target.deployment);
      const models = await createModels(users.administrator, provider.url, target.deployment.upstream.url);
      try {
        const [wallet] = await users.member.list<WalletRow>('/wallets');
        if (!wallet) throw new Error('the member has no wallet');
        const scene = { target, users, wallet, models, provider };
        await waitUntil('the models', () => areServed(scene));
        const faults: string[] = [];
        for (const trick of cases.filter(({ fullSizeOnly }) => target.full || !fullSizeOnly))
          faults.push(...(await runOverdrawCase(trick, scene)));
        faults.push(...((await playMore?.(scene)) ?? []));
        expect(faults).toEqual([]);
      } finally {
        await models.remove();
        await provider.close();
      }
    },
  };
}

async function areServed({ target, users, models }: Scene): Promise<boolean> {
  const { text } = await request(target.deployment, '/v1/models', {
    headers: { authorization: `Bearer ${users.memberKey}` },
  });
  return text.includes(`"${models.last}"`);
}
