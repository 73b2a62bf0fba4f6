import { describe, expect, it } from 'vitest';
import { ConfigurationError, readConfiguration } from './read-configuration.js';

const SECRET = 'sk-a-secret-of-the-operator';

const WHOLE = `
admin:
  email: admin@example.com
  password: \${ADMIN_PASSWORD}
channels:
  - name: openai-main
    type: openai
    base_url: https://api.openai.com/v1
    api_key: \${OPENAI_API_KEY}
    models:
      gpt-5-mini: gpt-5-mini-2025-08-07
    settings: {}
    priority: 0
    weight: 1
    timeout: { connect: 3s, first_byte: 60s, idle: 60s, total: 15m }
  - name: local
    type: openai-compatible
    base_url: http://127.0.0.1:9
    api_keys: [\${OPENAI_API_KEY}, other]
    models: [gpt-5-mini, org/model]
models:
  - slug: gpt-5-mini
    kind: chat
    state: active
    price:
      input_per_million: "0.25"
      output_per_million: "2.00"
wallets:
  - name: acme
    balance: "25.00"
tokens:
  - name: ci
    wallet: acme
    key: \${CI_API_KEY}
    allowed_models: [gpt-5-mini]
    spending_quota: "5.00"
    expires_at: 2027-01-01T00:00:00Z
`;

const variables = { ADMIN_PASSWORD: '12345678', OPENAI_API_KEY: SECRET, CI_API_KEY: 'sk-ci-0123456789' };

function channel(lines: string): string {
  return `channels:\n  - {name: a, ${lines}}`;
}

describe('readConfiguration', () => {
  it("reads the contract's example", () => {
    const file = readConfiguration(WHOLE, variables);
    expect(file.admin).toEqual({ email: 'admin@example.com', password: '12345678' });
    expect(file.channels[0]).toMatchObject({
      api_key: SECRET,
      models: { 'gpt-5-mini': 'gpt-5-mini-2025-08-07' },
      timeout: { connect: 3_000, first_byte: 60_000, idle: 60_000, total: 900_000 },
    });
    expect(file.channels[1]).toMatchObject({
      api_keys: [SECRET, 'other'],
      models: { 'gpt-5-mini': 'gpt-5-mini', 'org/model': 'org/model' },
    });
    expect(file.tokens[0]).toMatchObject({ key: 'sk-ci-0123456789', spending_quota: '5.00' });
  });

  it.each(['', '# nothing\n', '{}'])('reads an empty file as nothing: %j', (text) => {
    expect(readConfiguration(text, {})).toEqual({
      channels: [],
      models: [],
      users: [],
      wallets: [],
      tokens: [],
    });
  });

  const openai = `type: openai, api_key: ${SECRET}, models: [m]`;

  it.each<[string, string, string]>([
    ['an unknown section', 'modles: []', 'modles: this key is not known here.'],
    ['a section that is no list', 'channels: {}', 'channels: must be a list.'],
    ['a file that is no map', '- a', 'must be an object.'],
    [
      'an unknown channel key',
      channel(`${openai}, modles: []`),
      'channels[0].modles: this key is not known here.',
    ],
    [
      'a channel without models',
      channel(`type: openai, api_key: ${SECRET}`),
      'channels[0].models: must be a list of slugs or a map from slug to upstream model name.',
    ],
    [
      'models that are text',
      channel(`type: openai, api_key: ${SECRET}, models: gpt`),
      'channels[0].models: must be a list of slugs or a map from slug to upstream model name.',
    ],
    [
      'an unknown type',
      channel('type: opanai, models: [m]'),
      'channels[0].type: there is no channel type "opanai"; the types are openai, ',
    ],
    [
      'an unknown setting',
      channel(`${openai}, settings: {regoin: x}`),
      'channels[0].settings.regoin: this key is not known here.',
    ],
    [
      'a missing address',
      channel('type: openai-compatible, models: [m]'),
      'channels[0].base_url: is required for a channel of type openai-compatible.',
    ],
    [
      'an address that is none',
      channel(`${openai}, base_url: example.com`),
      'channels[0].base_url: must be an http:// or https:// address.',
    ],
    [
      'credentials in the address',
      channel(`${openai}, base_url: "https://a:b@example.com"`),
      'channels[0].base_url: must not carry a user name or password; use api_key.',
    ],
    [
      'a missing key',
      channel('type: openai, models: [m]'),
      'channels[0].api_key: is required for a channel of type openai.',
    ],
    [
      'two kinds of key',
      channel(`${openai}, api_keys: [b]`),
      'channels[0].api_keys: give either api_key or api_keys.',
    ],
    [
      'a key in a list that is none',
      channel('type: openai, api_keys: [5], models: [m]'),
      'channels[0].api_keys[0]: must be a key, or a map with key and enabled.',
    ],
    [
      'a probe that is no duration',
      channel(`${openai}, probe: often`),
      'channels[0].probe: must be off, or a duration such as 5m, from 1m to 24h.',
    ],
    [
      'an age of answers that is none',
      'tokens:\n  - {name: a, wallet: w, cache: sometimes}',
      'tokens[0].cache: must be off, or a duration such as 60s, at most 24h.',
    ],
    ['a fraction', channel(`${openai}, weight: 1.5`), 'channels[0].weight: must be a whole number.'],
    ['a number that is text', channel(`${openai}, priority: "1"`), 'channels[0].priority: must be a number.'],
    [
      'a duration',
      channel(`${openai}, timeout: {connect: 3}`),
      'channels[0].timeout.connect: must be a string.',
    ],
    [
      'a duration without unit',
      channel(`${openai}, timeout: {connect: "3"}`),
      'channels[0].timeout.connect: must be a duration such as 250ms, 3s, 15m or 1h.',
    ],
    [
      'a repeated name',
      `channels:\n  - {name: a, ${openai}}\n  - {name: a, ${openai}}`,
      'channels[1].name: "a" is in the list twice.',
    ],
    [
      'an unknown kind',
      'models: [{slug: m, kind: chta}]',
      'models[0].kind: must be one of chat, embedding, image, transcription, speech, moderation, rerank, realtime, video.',
    ],
    [
      'a price that is a number',
      'models: [{slug: m, kind: chat, price: {input_per_million: 0.25}}]',
      'models[0].price.input_per_million: must be a string.',
    ],
    [
      'a negative price',
      'models: [{slug: m, kind: chat, price: {input_per_million: "-1"}}]',
      'models[0].price.input_per_million: must be a decimal string in USD such as "0.25", below 1000000, with at most 9 decimals.',
    ],
    [
      'an unknown price',
      'models: [{slug: m, kind: chat, price: {per_token: "1"}}]',
      'models[0].price.per_token: this key is not known here.',
    ],
    ['a wallet without a name', 'wallets: [{balance: "1"}]', 'wallets[0].name: is required.'],
    [
      'a balance that is a number',
      'wallets: [{name: a, balance: 25}]',
      'wallets[0].balance: must be a string.',
    ],
    [
      'a short key',
      'tokens: [{name: t, wallet: a, key: sk-1}]',
      'tokens[0].key: must begin with sk- and hold at least 8 letters, digits, - or _ after it.',
    ],
    [
      'a repeated token',
      'tokens: [{name: t, wallet: a}, {name: t, wallet: a}]',
      'tokens[1].name: "t" is in the list twice.',
    ],
    [
      'a repeated key',
      'tokens: [{name: t, wallet: a, key: sk-12345678}, {name: u, wallet: a, key: sk-12345678}]',
      'tokens[1].key: another token has the same key.',
    ],
    ['a moment that is none', 'tokens: [{name: t, wallet: a, expires_at: soon}]', 'tokens[0].expires_at: '],
    [
      'an address of nobody',
      'admin: {email: admin, password: "12345678"}',
      'admin.email: must be an e-mail address.',
    ],
    [
      'a short password',
      'admin: {email: a@b.co, password: short}',
      'admin.password: must be at least 8 characters long.',
    ],
    [
      'a missing variable',
      'admin: {email: a@b.co, password: ${NOT_SET}}',
      'admin.password: the environment variable NOT_SET is not set.',
    ],
    ['broken YAML', 'channels: [\nadmin: {', 'The file is not valid YAML: line '],
    ['a key twice', 'models: []\nmodels: []', 'The file is not valid YAML: line 2, column 1: DUPLICATE_KEY.'],
  ])('names %s', (_name, text, message) => {
    let thrown: unknown;
    try {
      readConfiguration(text, variables);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ConfigurationError);
    expect((thrown as Error).message.startsWith(message) ? message : (thrown as Error).message).toBe(message);
    expect((thrown as Error).message).not.toContain(SECRET);
  });
});
