import { watchSlowness } from '@mg/testkit';
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
const PROMISED_MS = 3_000;
/** Whatever else the machine is doing, one of so many changes acts in time. */
const CHANGES = 8;
const PATIENCE_MS = 60_000;

/** The file is applied at boot and again when it changes; what it does not name stays as it is. */
export function describeConfigurationFile(get: () => Deployment): void {
  describe('a change of the configuration file', () => {
    it('acts at once', async () => {
      let fastestMs = Infinity;
      for (let change = 1; change <= CHANGES && fastestMs > PROMISED_MS; change += 1) {
        fastestMs = Math.min(fastestMs, await addLateModel(get(), `late-model-${change}`));
      }
      expect(fastestMs).toBeLessThanOrEqual(PROMISED_MS);
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

/**
 * Writes a file with one more model, which the key of the test may use and no other.
 *
 * @returns after how many milliseconds every gateway serves it, on a machine with a free core.
 */
async function addLateModel(deployment: Deployment, slug: string): Promise<number> {
  const file = parse(await deployment.readConfiguration()) as ConfigurationFile;
  const [channel] = file.channels;
  file.channels.push({ ...channel, name: slug, models: { [slug]: 'plain' } });
  file.models.push({ slug, kind: 'chat', price: { per_request: FLAT_PRICE } });
  const others = file.tokens.filter(({ name }) => name !== 'late');
  const text = stringify({
    ...file,
    tokens: [...others, { name: 'late', wallet: 'main', key: KEYS.late, allowed_models: [slug] }],
  });
  await deployment.writeConfiguration(text);
  const readSlowness = watchSlowness();
  const writtenMs = performance.now();
  const answers = await waitUntil(
    'the key may use the new model at every gateway',
    async () => {
      const tried = await Promise.all(deployment.gateways.map((url) => postAs(url, slug)));
      return tried.every(({ status }) => status === 200) && tried;
    },
    PATIENCE_MS,
  );
  const actedMs = (performance.now() - writtenMs) / readSlowness();
  for (const { headers } of answers) expect(headers.get('x-gateway-cost')).toBe(FLAT_PRICE);
  return actedMs;
}

function postAs(gatewayUrl: string, model: string) {
  return postChat({ gatewayUrl }, { model, messages: HELLO }, { authorization: `Bearer ${KEYS.late}` });
}
