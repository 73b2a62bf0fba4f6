import { GatewayError } from '@mg/contract';
import { describe, expect, it, vi } from 'vitest';
import { type PriceFileFormat, readPriceFile } from './read-price-file.js';

const WANTED = [
  { slug: 'gpt', price: { input_per_million: '0.25', output_per_million: '2.00' } },
  { slug: 'img', price: { per_image: '0.04' } },
];

describe('readPriceFile', () => {
  it.each<[PriceFileFormat, string]>([
    [
      'json',
      '{"gpt": {"input_per_million": "0.25", "output_per_million": "2.00"}, "img": {"per_image": 0.04}}',
    ],
    ['yaml', 'gpt:\n  input_per_million: 0.25\n  output_per_million: 2.00\nimg: { per_image: "0.04" }\n'],
    [
      'yaml',
      'models:\n- slug: gpt\n  kind: chat\n  price: {input_per_million: 0.25, output_per_million: 2.00}\n- slug: img\n  price: {per_image: 0.04}',
    ],
    [
      'csv',
      '\uFEFFslug,input_per_million,output_per_million,per_image\r\ngpt,"0.25",2.00,\r\nimg,,,0.04\r\n',
    ],
  ])('reads %s', async (format, content) => {
    expect(await readPriceFile(content, format)).toEqual(WANTED);
  });

  it('H4: reads what tools, tiers, long prompts and batches cost', async () => {
    const price = {
      per_web_search: '0.01',
      batch_share: '0.5',
      long_context: { above_tokens: 200_000, input_per_million: '2' },
      tiers: { priority: { input_per_million: '3' } },
    };
    expect(await readPriceFile(JSON.stringify({ gpt: price }), 'json')).toEqual([{ slug: 'gpt', price }]);
    expect(await readPriceFile('slug,per_web_search,batch_share\ngpt,0.01,0.5', 'csv')).toEqual([
      { slug: 'gpt', price: { per_web_search: '0.01', batch_share: '0.5' } },
    ]);
  });

  it('keeps every digit', async () => {
    const [line] = await readPriceFile('{"a": {"per_request": 123456.000000001}}', 'json');
    expect(line?.price.per_request).toBe('123456.000000001');
  });

  it.each<[string, PriceFileFormat, string, RegExp]>([
    ['nothing', 'csv', 'slug\n', /holds no price/],
    ['no file at all', 'yaml', '- a', /is wrong/],
    ['broken JSON', 'json', '{"a": ', /cannot be read/],
    ['a field that there is not', 'json', '{"a": {"per_token": "1"}}', /per_token/],
    ['a negative price', 'yaml', 'a: {per_image: -1}', /a.per_image/],
    ['a column that there is not', 'csv', 'slug,colour\na,red', /unknown column colour/],
    ['a model twice', 'json', '{"a": {},\n "b": {}, "a": {}}', /unique at line 2, column 11/],
    ['a meter twice', 'yaml', 'a:\n  per_image: 1\n  per_image: 2', /unique at line 3, column 3/],
    ['a model twice', 'csv', 'slug,per_image\na,1\na,2', /names a twice/],
    ['a line that is too short', 'csv', 'slug,per_image,per_second\na,1', /2 cells in line 2/],
    ['a wrong share', 'yaml', 'a: { batch_share: 2 }', /a.batch_share: must be a decimal string from/],
    ['a wrong tier', 'yaml', 'a: { tiers: { flex: { per_use: 1 } } }', /a.tiers.flex.per_use/],
    ['a wrong amount', 'csv', 'slug,per_image\na,1\nb,much', /line 3: price.per_image/],
    ['a thousand variants', 'json', manyVariants(1_001), /m: has more than 1000 variants and tiers/],
    ['a bomb', 'yaml', bomb(), /cannot be read|is wrong/],
    ['a long text again and again', 'yaml', repeatText(), /its aliases stand for too much/],
  ])('refuses %s', async (_name, format, content, message) => {
    const refused = readPriceFile(content, format);
    await expect(refused).rejects.toThrow(GatewayError);
    await expect(refused).rejects.toThrow(message);
  });
});

describe('C1: a file of thousands of prices', () => {
  const prices = Array.from({ length: 4_000 }, (_, at) => ({
    slug: `model-${at}`,
    price: { input_per_million: '0.25', output_per_million: '2.00' },
  }));
  const map = Object.fromEntries(prices.map(({ slug, price }) => [slug, price]));
  const lines = prices.map(
    ({ slug, price }) => `${slug},${price.input_per_million},${price.output_per_million}`,
  );

  it.each<[PriceFileFormat, string]>([
    ['json', JSON.stringify(map)],
    ['yaml', JSON.stringify({ models: prices })],
    ['csv', ['slug,input_per_million,output_per_million', ...lines].join('\n')],
  ])('is read while others have their turns: %s', async (format, content) => {
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    expect(await readPriceFile(content, format)).toEqual(prices);
    clearImmediate(timer);
    expect(turns).toBeGreaterThanOrEqual(80);
  });

  it('C1: is read while others have their turns where its prices have many variants', async () => {
    const names = Array.from({ length: 450 }, (_, at) => `v${at}`);
    const price = { variants: Object.fromEntries(names.map((name) => [name, { per_image: '1' }])) };
    const models = Array.from({ length: 10 }, (_, at) => ({ slug: `m${at}`, price }));
    const perTurn = [new Set<unknown>()];
    let timer = setImmediate(function count() {
      perTurn.push(new Set());
      timer = setImmediate(count);
    });
    const { keys } = Object;
    const looked = vi.spyOn(Object, 'keys').mockImplementation((value: object) => {
      if ('v449' in value) perTurn.at(-1)?.add(value);
      return keys(value);
    });
    const read = await readPriceFile(JSON.stringify({ models }), 'json');
    looked.mockRestore();
    clearImmediate(timer);
    const sizes = perTurn.map(({ size }) => size).filter((size) => size > 0);
    expect(read).toEqual(models);
    expect(sizes.length).toBeGreaterThanOrEqual(models.length);
    expect(Math.max(...sizes)).toBe(1);
  });

  it.each<[PriceFileFormat, string]>([
    ['json', JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`m${at}`, {}])))],
    ['json', JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`m${at}`, {}])))],
    ['csv', `slug,per_image\n${'\n'.repeat(500_000)}`],
  ])('is refused when there are too many (%s)', async (format, content) => {
    await expect(readPriceFile(content, format)).rejects.toThrow(/more than 5000 prices/);
  });
});

function manyVariants(count: number): string {
  const names = Array.from({ length: count }, (_, at) => `v${at}`);
  const variants = Object.fromEntries(names.map((name) => [name, { per_image: '1' }]));
  return JSON.stringify({ m: { variants } });
}

/** Ninety aliases of ten kilobytes. */
function repeatText(): string {
  const lines = Array.from({ length: 90 }, (_, at) => `m${at}: *long`);
  return [`long: &long ${'x'.repeat(10_000)}`, ...lines].join('\n');
}

/** Aliases of aliases, which would unfold to a million prices. */
function bomb(): string {
  const levels = Array.from({ length: 7 }, (_, at) => {
    const before = at === 0 ? Array<string>(10).fill('x') : Array<string>(10).fill(`*l${at - 1}`);
    return `l${at}: &l${at} [${before.join(',')}]`;
  });
  return levels.join('\n');
}
