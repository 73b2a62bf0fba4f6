import { describe, expect, it } from 'vitest';
import { checkJson } from './check-json.js';

const check = (body: unknown) => checkJson(Buffer.from(JSON.stringify(body)));
const list = <Item>(length: number, make: (at: number) => Item) =>
  Array.from({ length }, (_, at) => make(at));

describe('a body of the Console', () => {
  it('may hold as many models as are added at once, with their prices', async () => {
    const price = {
      input_per_million: '1',
      cached_input_per_million: '1',
      cache_write_per_million: '1',
      image_input_per_million: '1',
      output_per_million: '1',
      long_context: { above_tokens: 200_000, input_per_million: '2', output_per_million: '2' },
    };
    const models = list(500, (at) => ({
      name: `provider/model-${at}`,
      slug: `model-${at}`,
      kind: 'chat',
      price,
      context_window: 200_000,
      max_output_tokens: 64_000,
    }));
    await expect(check({ models, enabled: true })).resolves.toBeUndefined();
  });

  it('may be a file of prices of any length', async () => {
    await expect(check({ content: 'x'.repeat(1_000_000), format: 'csv' })).resolves.toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['6000 numbers', list(6_001, () => 1)],
    ['6000 strings', list(6_001, () => 'x')],
    ['1600 objects and arrays', list(1_600, () => ({}))],
    ['1500 different names', Object.fromEntries(list(1_500, (at) => [`name-${at}`, 'x']))],
  ])('C1: is refused by name before it is parsed where it holds more than %s', async (most, password) => {
    await expect(check({ email: 'a', password })).rejects.toThrow(
      `password makes the body hold more than ${most}`,
    );
  });
});
