import { describe, expect, it } from 'vitest';
import { checkGivenSettings, checkSettings, requireProvider } from './check-channel.js';

const bedrock = requireProvider('bedrock');
const REGION = { region: 'us-east-1' };
const PUBLIC = { ...REGION, access_key_id: 'AKIDEXAMPLE' };
const SECRET = { secret_access_key: 'a-secret' };
const STORED = ['secret_access_key'];

describe('checkSettings', () => {
  it('sets the secret ones apart', () => {
    expect(checkSettings(bedrock, { ...PUBLIC, ...SECRET })).toEqual({
      shown: PUBLIC,
      secret: { given: SECRET, kept: [] },
    });
    expect(checkSettings(requireProvider('openai'), {})).toEqual({
      shown: {},
      secret: { given: {}, kept: [] },
    });
  });

  it('keeps stored secrets that are left out', () => {
    expect(checkSettings(bedrock, PUBLIC, STORED)).toEqual({
      shown: PUBLIC,
      secret: { given: {}, kept: STORED },
    });
    expect(checkSettings(bedrock, { ...PUBLIC, secret_access_key: 'new' }, STORED).secret).toEqual({
      given: { secret_access_key: 'new' },
      kept: [],
    });
    expect(checkSettings(bedrock, { ...REGION, secret_access_key: null }, STORED)).toEqual({
      shown: REGION,
      secret: { given: {}, kept: [] },
    });
    expect(checkSettings(requireProvider('vertex'), { project: 'my-project' }, ['service_account'])).toEqual({
      shown: { project: 'my-project', location: 'global' },
      secret: { given: {}, kept: ['service_account'] },
    });
  });

  it.each<[Record<string, unknown>, string[], string]>([
    [PUBLIC, [], 'settings.secret_access_key: is required with access_key_id.'],
    [{ ...PUBLIC, secret_access_key: null }, STORED, 'settings.secret_access_key: is required with'],
    [{ ...PUBLIC, secret_access_key: '' }, STORED, 'settings.secret_access_key: must not be empty.'],
    [{ ...PUBLIC, secret_access_key: 7 }, [], 'settings.secret_access_key: must be a string.'],
    [REGION, STORED, 'settings.access_key_id: is required with secret_access_key'],
    [
      { ...PUBLIC, secret_acess_key: 'a-secret' },
      [],
      'settings.secret_acess_key: this key is not known here.',
    ],
  ])('names the setting that is wrong: %j with %j', (given, stored, message) => {
    expect(() => checkSettings(bedrock, given, stored)).toThrow(message);
  });

  it('never repeats a secret that is wrong', () => {
    const account = '{"client_email":"a@b","private_key":"not-a-key"}';
    const settings = { project: 'my-project', service_account: account };
    expect(() => checkSettings(requireProvider('vertex'), settings)).toThrow(
      /^settings\.service_account: must be the JSON key of a service account, with client_email and private_key\.$/,
    );
  });
});

describe('checkGivenSettings', () => {
  it('lets pass what a stored secret may complete, and nothing else', () => {
    expect(() => checkGivenSettings(bedrock, PUBLIC)).not.toThrow();
    expect(() => checkGivenSettings(bedrock, { ...PUBLIC, ...SECRET })).not.toThrow();
    expect(() => checkGivenSettings(bedrock, { ...PUBLIC, region: 'x' })).toThrow('settings.region: must be');
    expect(() => checkGivenSettings(bedrock, { ...PUBLIC, secret_access_key: '' })).toThrow(
      'settings.secret_access_key: must not be empty.',
    );
    expect(() => checkGivenSettings(bedrock, { ...REGION, ...SECRET })).toThrow('settings.access_key_id: is');
  });
});
