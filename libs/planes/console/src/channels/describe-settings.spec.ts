import { findProvider, listProviders } from '@mg/providers';
import { describe, expect, it } from 'vitest';
import { describeSettings } from './describe-settings.js';

function fieldsOf(type: string) {
  const provider = findProvider(type);
  if (!provider) throw new Error(`no provider ${type}`);
  return describeSettings(provider);
}

describe('describeSettings', () => {
  it('says what is secret, what is required and what is in force otherwise', () => {
    expect(fieldsOf('vertex')).toMatchObject([
      { name: 'project', kind: 'text', required: true },
      { name: 'location', kind: 'text', required: false, default: 'global' },
      { name: 'service_account', kind: 'secret', required: false },
    ]);
    expect(fieldsOf('bedrock').map((field) => [field.name, field.kind])).toEqual([
      ['region', 'text'],
      ['access_key_id', 'text'],
      ['secret_access_key', 'secret'],
      ['session_token', 'secret'],
    ]);
  });

  it('offers choices, switches, numbers and lists as such', () => {
    const fields = Object.fromEntries(fieldsOf('openai-compatible').map((field) => [field.name, field]));
    expect(fields['max_tokens_field']).toMatchObject({
      kind: 'choice',
      choices: ['max_tokens', 'max_completion_tokens'],
    });
    expect(fields['stream_usage']).toMatchObject({ kind: 'flag', choices: ['true', 'false'] });
    expect(fields['text_completions']).toMatchObject({ kind: 'flag', choices: ['false'] });
    expect(fields['max_output_tokens']).toMatchObject({ kind: 'number' });
    expect(fields['efforts']).toMatchObject({ kind: 'list', required: false });
  });

  it('has words and a simple form for every setting of every provider', () => {
    const wordless = listProviders().flatMap((provider) =>
      describeSettings(provider)
        .filter(({ title, name, help, kind }) => title === name || help === null || kind === 'json')
        .map(({ name }) => `${provider.id}: ${name}`),
    );
    expect(wordless).toEqual([]);
  });
});
