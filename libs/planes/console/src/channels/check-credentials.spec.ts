import { findProvider, type ProviderDescriptor } from '@mg/providers';
import { describe, expect, it } from 'vitest';
import { checkApiKeys, checkPlainSettings } from './check-credentials.js';

const provider = (id: string) => findProvider(id) as ProviderDescriptor;
const FILE = '{\n  "client_email": "a@b.iam.gserviceaccount.com"\n}\n';

describe('the key of a channel, at save', () => {
  it.each(['sk-a\r\n', 'sk-a\nx-evil: 1', ' sk-a', 'sk-a ', 'sk-\u00e9', 'sk-…', 'a\tb', '\u007f', FILE])(
    'is refused where no header can carry it: %j',
    (key) => {
      expect(() => checkApiKeys(provider('openai'), [key])).toThrow(/^api_key: must be visible ASCII/);
      expect(() => checkApiKeys(provider('kling'), [key])).toThrow(/^api_key: must be visible ASCII/);
      expect(() => checkApiKeys(provider('openai'), ['sk-good', key])).toThrow(/^api_keys\[1\]: /);
    },
  );

  it.each(['sk-proj-AbC_123', 'id:secret', 'a', 'with spaces inside'])('is taken: %j', (key) => {
    expect(() => checkApiKeys(provider('openai'), [key])).not.toThrow();
  });

  it('may be the text of a key file where no header carries it', () => {
    expect(() => checkApiKeys(provider('vertex'), [FILE])).not.toThrow();
    expect(() => checkPlainSettings({ service_account: FILE, project: 'p' })).not.toThrow();
  });

  it('may not hide a line end in a setting', () => {
    expect(() => checkPlainSettings({ access_key_id: 'AKID\r\nx: y' })).toThrow(/^settings.access_key_id: /);
  });
});
