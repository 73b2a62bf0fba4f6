import { newId, omitUndefined } from '@mg/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { ADMIN, makeTestBed, type OpenConsole, type TestBed } from '../testing/open-test-console.js';
import type { priceImportSchema } from './price-import-schemas.js';

type Import = z.output<typeof priceImportSchema>;

let bed: TestBed;
let console: OpenConsole;
let session: string;

beforeAll(async () => {
  bed = await makeTestBed();
  console = await bed.open();
  session = await console.login(ADMIN.email, ADMIN.password);
});

afterAll(() => bed.stop());

function call<Body = Import>(method: string, path: string, body?: object) {
  return console.call<Body>(method, path, { session, body });
}

async function makeModel(price?: object): Promise<string> {
  const slug = `model-${newId()}`;
  await call('POST', '/api/v1/models', omitUndefined({ slug, kind: 'image', price }));
  return slug;
}

async function priceOf(slug: string) {
  return (await call<{ price: object | null; prices: object[] }>('GET', `/api/v1/models/${slug}`)).body;
}

it('shows what a file changes, changes nothing, and then all of it at once', async () => {
  const [fresh, changed, same] = [
    await makeModel(),
    await makeModel({ per_image: '1' }),
    await makeModel({ per_image: '1' }),
  ];
  const unknown = `model-${newId()}`;
  const content = `slug,per_image\n${fresh},2\n${changed},3\n${same},1.00\n${unknown},4`;
  const review = await call('POST', '/api/v1/price-imports', {
    content,
    format: 'csv',
    source: 'list of may',
  });
  expect(review.status).toBe(201);
  expect(review.body.counts).toEqual({ new: 1, changed: 1, unchanged: 1, unknown_model: 1 });
  expect(review.body.lines.find((line) => line.slug === changed)).toEqual({
    slug: changed,
    change: 'changed',
    before: { per_image: '1' },
    after: { per_image: '3' },
  });
  expect(await priceOf(changed)).toMatchObject({ price: { per_image: '1' } });
  const path = `/api/v1/price-imports/${review.body.id}`;
  expect((await call('GET', path)).body).toEqual(review.body);
  const applied = await call('POST', `${path}/apply`);
  expect(applied.body.applied_at).not.toBeNull();
  expect(await priceOf(fresh)).toMatchObject({ price: { per_image: '2' } });
  expect(await priceOf(changed)).toMatchObject({
    price: { per_image: '3' },
    prices: [{ price: { per_image: '3' }, source: 'import: list of may' }, { price: { per_image: '1' } }],
  });
  expect((await priceOf(same)).prices).toHaveLength(1);
  expect((await call('GET', `/api/v1/models/${unknown}`)).status).toBe(404);
  expect((await call('POST', `${path}/apply`)).status).toBe(409);
  const audit = await call<{ data: object[] }>('GET', `/api/v1/audit?target_id=${review.body.id}`);
  expect(audit.body.data).toMatchObject([
    { action: 'price_import.apply', before: { [changed]: { per_image: '1' } } },
    { action: 'price_import.review' },
  ]);
});

it('is not applied when a price has changed since somebody looked', async () => {
  const slug = await makeModel({ per_image: '1' });
  const content = JSON.stringify({ [slug]: { per_image: '2' } });
  const review = await call('POST', '/api/v1/price-imports', { content, format: 'json' });
  await call('PATCH', `/api/v1/models/${slug}`, { price: { per_image: '5' } });
  expect((await call('POST', `/api/v1/price-imports/${review.body.id}/apply`)).status).toBe(409);
  expect(await priceOf(slug)).toMatchObject({ price: { per_image: '5' } });
});

it('says where a file is wrong', async () => {
  const answer = await call<{ detail: { param: string; message: string } }>('POST', '/api/v1/price-imports', {
    content: 'a: { per_image: much }',
    format: 'yaml',
  });
  expect(answer.status).toBe(400);
  expect(answer.body.detail).toMatchObject({
    param: 'content',
    message: expect.stringContaining('a.per_image'),
  });
});
