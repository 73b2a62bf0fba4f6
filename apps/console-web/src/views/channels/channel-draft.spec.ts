import { describe, expect, it } from 'vitest';
import { leadsElsewhere, toChannelBody, toChannelDraft } from './channel-draft.js';

const OPTIONS = { fields: [], otherwise: '' };
const draft = { ...toChannelDraft(undefined, []), name: 'a', type: 'b' };

describe('toChannelBody', () => {
  it('reads a model on each line, with colons in names', () => {
    const models = 'small\n  large: llama3.2:70b \n\nnova:v1';
    expect(toChannelBody({ ...draft, models }, OPTIONS)).toMatchObject({
      models: { small: 'small', large: 'llama3.2:70b', 'nova:v1': 'nova:v1' },
    });
  });

  it('keeps the key that is set when none is written', () => {
    expect(JSON.stringify(toChannelBody(draft, OPTIONS))).not.toContain('api_key');
    expect(toChannelBody({ ...draft, apiKey: 'sk-1' }, OPTIONS)).toHaveProperty('api_key', 'sk-1');
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
    const again = toChannelBody(toChannelDraft({ ...channel, enabled: true } as never, []), OPTIONS);
    expect(again).toMatchObject(channel);
    expect(toChannelBody({ ...draft, probe: ' ' }, OPTIONS)).toHaveProperty('probe', null);
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
