import { parsePrice } from '@mg/contract';
import { deriveSecretKey } from '@mg/persistence/console';
import { loadCatalog } from '@mg/persistence/gateway';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN, ENCRYPTION_KEY, makeTestBed, type TestBed } from '../testing/open-test-console.js';

const variables = { OPENAI_API_KEY: 'sk-openai-key-of-the-environment' };
const environment = { SANDBOX_ENABLED: 'false' };
const MODELS = ['gpt-5-mini', 'gpt-5-nano', 'gpt-5'];
const OLD_PRICE = { input_per_million: '0.25', output_per_million: '2' };

let bed: TestBed;

beforeAll(async () => {
  bed = await makeTestBed();
});

afterAll(() => bed.stop());

/** Makes the models what the version before had made of them: no window, and a price for tokens alone. */
async function forget(): Promise<void> {
  await bed.database.query('update model set context_window = null where slug = any($1)', [MODELS]);
  await bed.database.query(
    `insert into price_version (id, model_slug, price, source)
     select gen_random_uuid(), slug, $2, '@pydantic/genai-prices 0.1.7 (2026-08-01)' from unnest($1::text[]) slug`,
    [MODELS, JSON.stringify(OLD_PRICE)],
  );
}

it('H4, F2: models of the version before get fees and limits at the next start, unless somebody changed them', async () => {
  const console = await bed.open({ variables, environment });
  await forget();
  const session = await console.login(ADMIN.email, ADMIN.password);
  const price = { input_per_million: '1', output_per_million: '2' };
  await console.call('PATCH', '/api/v1/models/gpt-5', { session, body: { price } });
  await console.call('PATCH', '/api/v1/models/gpt-5-nano', { session, body: { max_output_tokens: 1_000 } });

  await bed.open({ variables, environment });
  const { catalog } = await loadCatalog(bed.database, deriveSecretKey(ENCRYPTION_KEY), 1);
  const [seeded, narrowed, repriced] = MODELS.map((slug) => catalog.models.get(slug));
  expect(seeded).toMatchObject({
    contextWindow: 400_000,
    prices: [{ price: { per_web_search: 10_000_000n } }, { price: parsePrice(OLD_PRICE) }, {}],
  });
  expect(seeded?.prices[0]?.price.tiers?.has('priority')).toBe(true);
  expect(narrowed).toMatchObject({ contextWindow: undefined, maxOutputTokens: 1_000 });
  expect(repriced?.prices[0]?.price).toEqual({
    input_per_million: 1_000_000_000n,
    output_per_million: 2_000_000_000n,
  });
});

it('has one price for models of two providers, and the same at every start', async () => {
  const keys = { GROQ_API_KEY: 'gsk-key-of-the-environment', TOGETHER_API_KEY: 'key-of-the-environment' };
  const listVersions = async () =>
    (await bed.store.models.listPrices('openai/gpt-oss-120b')).map(({ source }) => source);
  await bed.open({ variables: keys, environment });
  const first = await listVersions();
  await bed.open({ variables: keys, environment });
  expect(first).toHaveLength(1);
  expect(await listVersions()).toEqual(first);
});
