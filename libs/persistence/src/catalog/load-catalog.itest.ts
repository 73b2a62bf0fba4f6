import { afterAll, beforeAll, expect, it } from 'vitest';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { loadCatalog } from './load-catalog.js';

const KEY = deriveSecretKey('encryption-key-of-the-catalog-test');

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase(1);
});
afterAll(() => test.stop());

const addModel = (slug: string) =>
  test.database.query(`insert into model (slug, kind, state) values ($1, 'chat', 'active')`, [slug]);
/** Prices from so many days on, each named by its amount. */
const addPrices = (slug: string, days: readonly number[]) =>
  test.database.query(
    `insert into price_version (id, model_slug, price, source, effective_from)
     select gen_random_uuid(), $1, jsonb_build_object('per_request', day::text), 'test', now() - make_interval(days => day)
       from unnest($2::int[]) as day`,
    [slug, days],
  );
async function readPrices(slug: string) {
  const { catalog } = await loadCatalog(test.database, KEY, 1);
  return catalog.models.get(slug)?.prices.map(({ price }) => Number(price.per_request) / 1_000_000_000);
}

it('a catalog has the prices in force now and some days ago, and not all that there ever were', async () => {
  await addModel('old');
  await addPrices('old', [400, 300, 200, 30, 20, 6, 2]);
  await addModel('new');
  await addPrices('new', [3, 1]);
  await addModel('steady');
  await addPrices('steady', [400, 300]);
  await addModel('free');
  expect(await readPrices('old')).toEqual([2, 6, 20]);
  expect(await readPrices('new')).toEqual([1, 3]);
  expect(await readPrices('steady')).toEqual([300]);
  expect(await readPrices('free')).toEqual([]);
});

it('a catalog has a price that is not in force yet', async () => {
  await addModel('dearer');
  await addPrices('dearer', [90, 30]);
  await test.database.query(
    `insert into price_version (id, model_slug, price, source, effective_from)
     values (gen_random_uuid(), 'dearer', '{"per_request":"7"}', 'test', now() + interval '1 day')`,
  );
  expect(await readPrices('dearer')).toEqual([7, 30]);
});

it('M5: a catalog has every model and price, however many are read one part after another', async () => {
  const slugs = Array.from({ length: 180 }, (_, at) => `many-${at}`);
  await test.database.query(
    `insert into model (slug, kind, state) select slug, 'chat', 'active' from unnest($1::text[]) as slug`,
    [slugs],
  );
  for (const slug of slugs.slice(100, 110)) await addPrices(slug, [1]);
  const { catalog } = await loadCatalog(test.database, KEY, 1);
  const read = slugs.map((slug) => catalog.models.get(slug)?.prices.length);
  expect(read).toEqual(slugs.map((_, at) => (at >= 100 && at < 110 ? 1 : 0)));
});
