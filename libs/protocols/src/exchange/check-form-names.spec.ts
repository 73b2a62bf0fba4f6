import { describe, expect, it } from 'vitest';
import { checkFormNames } from './check-form-names.js';
import type { FormPart } from './exchange.js';

const text = (name: string): FormPart => ({ name, bytes: Buffer.from('1') });
const file = (name: string): FormPart => ({ ...text(name), filename: 'a.png' });

function refuse(...parts: FormPart[]): string | undefined {
  try {
    checkFormNames(parts);
    return undefined;
  } catch (error) {
    return (error as { param?: string }).param;
  }
}

describe('checkFormNames', () => {
  it.each(['model', 'n', 'prompt', 'x_mine'])('H1: refuses %s twice', (name) => {
    expect(refuse(text(name), file('image'), text(name))).toBe(name);
  });

  it.each([
    'Model',
    'N',
    'maſk',
    'Image[]',
    'model[]',
    'model[0]',
    'n[]',
    ' model',
    'model ',
    'mo\\del',
    'a"b',
    'model\u0000',
    'model\t',
  ])('H1: refuses the field %j', (name) => {
    expect(refuse(text('prompt'), text(name))).toBe(name);
  });

  it('H1: refuses a file where a text belongs, and one recording too many', () => {
    expect(refuse(file('model'))).toBe('model');
    expect(refuse(file('file'), file('file'))).toBe('file');
    expect(refuse(file('mask'), file('mask'))).toBe('mask');
  });

  it('takes what SDKs and people send', () => {
    const lists = ['image[]', 'timestamp_granularities[]', 'include[]', 'timestamp_granularities', 'image'];
    const parts = lists
      .flatMap((name) => [name, name])
      .map((name) => (name.startsWith('image') ? file(name) : text(name)));
    const others = [
      'model',
      'n',
      'chunking_strategy[type]',
      'input_reference[image_url]',
      'X_Vendor',
      'x_vendor',
    ];
    expect(refuse(...parts, ...others.map(text), file('image[0]'), file('image[1]'))).toBeUndefined();
  });
});
