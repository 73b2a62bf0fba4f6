import { expect } from 'vitest';
import type { WalletRow } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { waitUntil } from '../wait-until.js';
import type { Attack } from './attack.js';
import { CHAT_CASES } from './overdraw/chat-cases.js';
import { startMaximumCostProvider } from './overdraw/maximum-cost-provider.js';
import { createModels, slugOf } from './overdraw/models.js';
import { OTHER_CASES } from './overdraw/other-cases.js';
import { playBatches } from './overdraw/play-batches.js';
import { runOverdrawCase } from './overdraw/play-calls.js';
import { playSessions } from './overdraw/play-sessions.js';
import type { Scene } from './overdraw/scene.js';
import { STREAM_CASES } from './overdraw/stream-cases.js';
import { createTwoUsers } from './two-users.js';

export const overdrawWallet: Attack = {
  threats: ['T16', 'T17', 'T18'],
  title: 'no request costs more than was held for it, however expensively its provider reads it',
  timeoutMs: { short: 90_000, full: 1_800_000 },
  async run(target) {
    const provider = await startMaximumCostProvider();
    const users = await createTwoUsers(target.deployment);
    const channels = await createModels(users.administrator, provider.url, target.deployment.upstream.url);
    try {
      const [wallet] = await users.member.list<WalletRow>('/wallets');
      if (!wallet) throw new Error('the member has no wallet');
      const scene = { target, users, wallet, provider };
      await waitUntil('the models', () => isServed(scene));
      const tricks = [...CHAT_CASES, ...OTHER_CASES, ...STREAM_CASES];
      const faults: string[] = [];
      for (const trick of tricks.filter(({ fullSizeOnly }) => target.full || !fullSizeOnly))
        faults.push(...(await runOverdrawCase(trick, scene)));
      faults.push(...(await playBatches(scene)), ...(await playSessions(scene)));
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
  return text.includes(slugOf('openai')) && text.includes(slugOf('talk'));
}
