import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  channelSchema,
  DEFAULT_TIMEOUTS,
  leadsElsewhere,
  needsApiKey,
  toChannelTexts,
} from './channel-schema.js';

/** What a gateway takes where a channel says nothing. */
const CONTRACT = join(import.meta.dirname, '../../../../../libs/contract/src/catalog.ts');

const NEW = { type: undefined, channel: undefined };
const texts = { ...toChannelTexts(undefined, [], 'b'), name: 'a' };
const schema = channelSchema(NEW, '');

describe('a channel in a form', () => {
  it('names the time limits that a channel has by default', () => {
    const toMs = (text: string) => parseInt(text) * (text.endsWith('m') ? 60_000 : 1_000);
    const { connect, first_byte: firstByte, idle, total } = DEFAULT_TIMEOUTS;
    const contract = readFileSync(CONTRACT, 'utf8');
    const [, limits = ''] = /DEFAULT_TIMEOUTS[^{]*\{([^}]*)\}/.exec(contract) ?? [];
    const defaults = [...limits.matchAll(/: ([\d_* ]+),/g)].map(([, product = '']) =>
      product
        .replaceAll('_', '')
        .split('*')
        .reduce((ms, factor) => ms * Number(factor), 1),
    );
    expect(defaults).toEqual([connect, firstByte, idle, total].map(toMs));
  });

  it('reads a model on each line, with colons in names', () => {
    const models = 'small\n  large: llama3.2:70b \n\nnova:v1';
    expect(schema.parse({ ...texts, models })).toMatchObject({
      models: { small: 'small', large: 'llama3.2:70b', 'nova:v1': 'nova:v1' },
    });
    expect(schema.safeParse({ ...texts, models: 'a slug' }).error?.issues).toMatchObject([
      { path: ['models'], message: 'no_channel_models' },
    ]);
  });

  it('keeps the key that is set when none is written', () => {
    expect(JSON.stringify(schema.parse(texts))).not.toContain('api_key');
    expect(schema.parse({ ...texts, api_key: 'sk-1' })).toHaveProperty('api_key', 'sk-1');
  });

  it('writes a channel back as it was read', () => {
    const channel = {
      models: { a: 'a', b: 'c' },
      settings: { region: 'eu' },
      timeout: { idle: '30s' },
      priority: 3,
      weight: 2,
      on_abort: 'cancel',
      batches: 'native',
      probe: '5m',
      limits: { rpm: 60 },
    };
    const again = toChannelTexts({ ...channel, name: 'a', type: 'b', enabled: true } as never, []);
    expect(schema.parse(again)).toEqual({
      ...channel,
      name: 'a',
      type: 'b',
      base_url: null,
      enabled: true,
    });
    expect(schema.parse({ ...texts, probe: ' ' })).toHaveProperty('probe', null);
  });

  it('is told what is wrong with its figures and its address', () => {
    const wrong = { ...texts, base_url: 'nowhere', priority: 'high', weight: '-1', probe: 'often' };
    expect(schema.safeParse(wrong).error?.issues).toMatchObject([
      { path: ['base_url'], message: 'no_http_address' },
      { path: ['priority'], message: 'not_a_whole_number' },
      { path: ['weight'], message: 'too_small 0' },
      { path: ['probe'], message: 'no_duration' },
    ]);
  });

  it('needs the key of a type that has one, unless it is kept', () => {
    const type = { needs_api_key: true, default_base_url: 'https://known.example.com' } as never;
    const channel = { base_url: null, key_hints: ['sk-...1'] } as never;
    expect(needsApiKey({ type, channel: undefined }, '')).toBe(true);
    expect(needsApiKey({ type, channel }, '')).toBe(false);
    expect(needsApiKey({ type, channel }, 'https://other.example.com')).toBe(true);
  });
});

describe('M7: leadsElsewhere', () => {
  const channel = { base_url: 'https://a.example.com/v1' } as never;

  it.each([
    ['https://a.example.com/v2', false],
    ['https://A.example.com:443', false],
    ['http://a.example.com/v1', true],
    ['https://a.example.com:8443/v1', true],
    ['https://b.example.com/v1', true],
    ['', true],
    ['https:', false],
  ])('%s: %s', (written, elsewhere) => {
    expect(leadsElsewhere(channel, 'https://known.example.com', written)).toBe(elsewhere);
  });

  it('knows the address of a provider', () => {
    const known = { base_url: null } as never;
    expect(leadsElsewhere(known, 'https://known.example.com/v1', '')).toBe(false);
    expect(leadsElsewhere(known, 'https://known.example.com/v1', 'https://known.example.com')).toBe(false);
    expect(leadsElsewhere(known, null, '')).toBe(false);
  });
});
