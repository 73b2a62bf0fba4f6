import { ConsoleClient, type TokenRow } from '../clients/console-client.js';
import { postChat } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

/** How a program that names models of its own comes to one of the gateway's, as `docs/clients.md` says. */
export interface UnnamedModel {
  /** Of the client that runs so, in the table. */
  readonly name: string;
  /** Sets it up for a model. @returns the key to call with. */
  prepare(deployment: Deployment, slug: string): Promise<string>;
}

/** The default model comes first: a name that an alias fits leads to no default. */
export const UNNAMED_MODELS: readonly UnnamedModel[] = [
  {
    name: 'Gemini CLI, no --model, default_model',
    async prepare(deployment, slug) {
      const console = await ConsoleClient.asAdmin(deployment);
      const { id: wallet_id } = await console.findWallet('main');
      const ask = { name: 'with a default model', wallet_id, default_model: slug };
      const { key = '' } = await console.demand<TokenRow>('POST', '/tokens', ask);
      return key;
    },
  },
  {
    name: 'Gemini CLI, no --model, alias gemini-*',
    async prepare(deployment, slug) {
      const console = await ConsoleClient.asAdmin(deployment);
      await console.demand('PATCH', `/models/${slug}`, { aliases: ['gemini-*'] });
      const ask = { model: 'gemini-of-nobody', messages: [{ role: 'user', content: 'Hello' }] };
      await waitUntil('the alias', async () => (await postChat(deployment, ask)).status === 200);
      return KEYS.main;
    },
  },
];
