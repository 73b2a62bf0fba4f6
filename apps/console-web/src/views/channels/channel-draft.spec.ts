import { describe, expect, it } from 'vitest';
import { toChannelBody, toChannelDraft } from './channel-draft.js';

const NEW = { isNew: true, fields: [], otherwise: '' };
const CHANGED = { ...NEW, isNew: false };
const draft = { ...toChannelDraft(undefined, []), name: 'a', type: 'b' };

describe('toChannelBody', () => {
  it('reads a model on each line, with colons in names', () => {
    const models = 'small\n  large: llama3.2:70b \n\nnova:v1';
    expect(toChannelBody({ ...draft, models }, NEW)).toMatchObject({
      models: { small: 'small', large: 'llama3.2:70b', 'nova:v1': 'nova:v1' },
    });
  });

  it('keeps the key that is set when none is written', () => {
    expect(toChannelBody(draft, CHANGED)).not.toHaveProperty('api_key');
    expect(toChannelBody({ ...draft, apiKey: 'sk-1' }, CHANGED)).toHaveProperty('api_key', 'sk-1');
  });

  it('writes a channel back as it was read', () => {
    const channel = {
      models: { a: 'a', b: 'c' },
      settings: { region: 'eu' },
      timeout: { idle: '30s' },
      priority: 3,
      weight: 2,
    };
    const again = toChannelBody(toChannelDraft({ ...channel, enabled: true } as never, []), CHANGED);
    expect(again).toMatchObject(channel);
  });
});
