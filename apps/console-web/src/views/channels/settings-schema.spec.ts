import { describe, expect, it } from 'vitest';
import type { SettingField } from '../../api/console-api.js';
import { settingsSchema, toOtherSettings, toSettingTexts } from './settings-schema.js';

function field(name: string, kind: SettingField['kind'], required = false): SettingField {
  return { name, kind, title: name, help: null, required, choices: [], default: null };
}

const FIELDS = [
  field('region', 'text'),
  field('secret', 'secret'),
  field('stream_usage', 'flag'),
  field('longest', 'number'),
  field('efforts', 'list'),
];

const EMPTY = toSettingTexts({}, FIELDS);

describe('settings in a form', () => {
  it('are written back as they were read, apart from what the type does not describe', () => {
    const settings = { region: 'eu', stream_usage: false, longest: 4096, efforts: ['low', 'high'] };
    const schema = settingsSchema(FIELDS, []);
    const read = { ...settings, odd: { a: 1 } };
    expect(schema.parse(toSettingTexts(read, FIELDS))).toEqual(settings);
    expect(JSON.parse(toOtherSettings(read, FIELDS))).toEqual({ odd: { a: 1 } });
    expect(schema.parse(toSettingTexts({ efforts: [] }, FIELDS))).toEqual({ efforts: [] });
    expect(toOtherSettings(settings, FIELDS)).toBe('');
  });

  it('leave out what is empty: a secret stays as it is', () => {
    expect(settingsSchema(FIELDS, ['secret']).parse({ ...EMPTY, region: ' ' })).toEqual({});
  });

  it('are told what is wrong: a required one that is empty, unless it is kept, and what is no number', () => {
    const fields = [field('secret', 'secret', true), field('longest', 'number')];
    const texts = { secret: '', longest: 'many' };
    expect(settingsSchema(fields, []).safeParse(texts).error?.issues).toMatchObject([
      { path: ['secret'], message: 'required' },
      { path: ['longest'], message: 'not_a_number' },
    ]);
    expect(settingsSchema(fields, ['secret']).parse({ ...texts, longest: '' })).toEqual({});
  });
});
