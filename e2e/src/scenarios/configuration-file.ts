import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { postChat } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { FLAT_PRICE } from '../deployment/configuration.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { waitUntil } from '../wait-until.js';

interface ConfigurationFile {
  readonly channels: Record<string, unknown>[];
  readonly models: Record<string, unknown>[];
  readonly tokens: Record<string, unknown>[];
}

/** A second is promised; a file of hundreds of models on a machine busy with tests gets two more. */
const PATIENCE_MS = 3_000;

/** The file is applied at boot and again when it changes; what it does not name stays as it is. */
export function describeConfigurationFile(get: () => Deployment): void {
  describe('a change of the configuration file', () => {
    it('acts at once', async () => {
      const file = parse(await get().readConfiguration()) as ConfigurationFile;
      const [channel] = file.channels;
      file.channels.push({ ...channel, name: 'late', models: { 'late-model': 'plain' } });
      file.models.push({ slug: 'late-model', kind: 'chat', price: { per_request: FLAT_PRICE } });
      file.tokens.push({ name: 'late', wallet: 'main', key: KEYS.late, allowed_models: ['late-model'] });
      await get().writeConfiguration(stringify(file));
      const answers = await waitUntil(
        'the new key may use the new model at every gateway',
        async () => {
          const tried = await Promise.all(get().gateways.map((url) => postAs(url, 'late-model')));
          return tried.every(({ status }) => status === 200) && tried;
        },
        PATIENCE_MS,
      );
      for (const { headers } of answers) expect(headers.get('x-gateway-cost')).toBe(FLAT_PRICE);
      for (const url of get().gateways) expect((await postAs(url, 'plain')).status).toBe(403);
    });

    it('that is no valid file changes nothing and stops nothing', async () => {
      const before = await get().readConfiguration();
      try {
        await get().writeConfiguration('channels: [{ name: broken');
        await waitUntil('the log says so', () => /not valid YAML: line 1/.test(get().readOutput()));
        expect((await postChat(get(), { model: 'plain', messages: HELLO })).status).toBe(200);
        expect(get().listEnded()).toEqual([]);
      } finally {
        await get().writeConfiguration(before);
      }
    });
  });
}

function postAs(gatewayUrl: string, model: string) {
  return postChat({ gatewayUrl }, { model, messages: HELLO }, { authorization: `Bearer ${KEYS.late}` });
}
