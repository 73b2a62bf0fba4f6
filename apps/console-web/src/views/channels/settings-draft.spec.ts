import { describe, expect, it } from 'vitest';
import type { SettingField } from '../../api/console-api.js';
import { toSettings, toSettingsDraft } from './settings-draft.js';

function field(name: string, kind: SettingField['kind']): SettingField {
  return { name, kind, title: name, help: null, required: false, choices: [], default: null };
}

const FIELDS = [
  field('region', 'text'),
  field('secret', 'secret'),
  field('stream_usage', 'flag'),
  field('longest', 'number'),
  field('efforts', 'list'),
];

describe('settings in a form', () => {
  it('are written back as they were read, what the type does not describe among them', () => {
    const settings = {
      region: 'eu',
      stream_usage: false,
      longest: 4096,
      efforts: ['low', 'high'],
      odd: { a: 1 },
    };
    expect(toSettings(toSettingsDraft(settings, FIELDS), FIELDS, '')).toEqual(settings);
    expect(toSettings(toSettingsDraft({ efforts: [] }, FIELDS), FIELDS, '')).toEqual({ efforts: [] });
  });

  it('leave out what is empty: a secret stays as it is', () => {
    const texts = { region: ' ', secret: '', longest: '', efforts: '' };
    expect(toSettings({ texts, others: '' }, FIELDS, '')).toEqual({});
  });

  it('send what cannot be read for the API to refuse, and say so of other settings', () => {
    expect(toSettings({ texts: { longest: 'many' }, others: '' }, FIELDS, '')).toEqual({ longest: 'many' });
    expect(() => toSettings({ texts: {}, others: '[1]' }, FIELDS, 'no object')).toThrow('no object');
  });
});
