import { expect, it } from 'vitest';
import { findField } from './find-field.js';

const TEXTS = { name: '', allowed_ips: '', limits: { rpm: '' }, price: { tiers: '' }, causes: ['failure'] };

it.each([
  ['name', 'name'],
  ['limits.rpm', 'limits.rpm'],
  ['allowed_ips[1]', 'allowed_ips'],
  ['price.tiers.priority.input_per_million', 'price.tiers'],
  ['causes[0]', 'causes'],
  ['limits', undefined],
  ['limits.tpm', undefined],
  ['other', undefined],
  ['toString', undefined],
])('the API’s %s is the form’s %s', (path, field) => {
  expect(findField(TEXTS, path)).toBe(field);
});
