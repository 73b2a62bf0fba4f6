import { expect, it } from 'vitest';
import { decideRole, readClaimRule, type RoleRules } from './role-rules.js';

const ADMINISTRATOR = readClaimRule('groups=admins');
const MEMBER = readClaimRule('groups=users');

function decide(rules: Partial<RoleRules>, groups: unknown) {
  const all = { administrator: undefined, member: undefined, ...rules };
  return decideRole(all, (name) => (name === 'groups' ? groups : undefined));
}

it.each([
  ['neither rule', {}, ['admins'], 'kept'],
  ['the administrators’ rule', { administrator: ADMINISTRATOR }, ['users', 'admins'], 'administrator'],
  ['a claim of one value', { administrator: ADMINISTRATOR }, 'admins', 'administrator'],
  ['another group', { administrator: ADMINISTRATOR }, ['users'], 'member'],
  ['no claim at all', { administrator: ADMINISTRATOR }, undefined, 'member'],
  ['the members’ rule alone', { member: MEMBER }, ['users'], 'kept'],
  ['a group that may not enter', { member: MEMBER }, ['others'], 'refused'],
  ['no claim where one is wanted', { member: MEMBER }, undefined, 'refused'],
  ['both rules', { administrator: ADMINISTRATOR, member: MEMBER }, ['users'], 'member'],
  [
    'administrators, who need no second group',
    { administrator: ADMINISTRATOR, member: MEMBER },
    ['admins'],
    'administrator',
  ],
] as const)('decides by %s', (_what, rules, groups, role) => {
  expect(decide(rules, groups)).toBe(role);
});

it.each([['Admins'], ['admins, users'], ['admins '], [{ 0: 'admins' }], [[['admins']]], [null], [true]])(
  'takes %j for no group of administrators',
  (groups) => {
    expect(decide({ administrator: ADMINISTRATOR }, groups)).toBe('member');
  },
);

it('reads a flag', () => {
  const rules = { administrator: readClaimRule('groups=true') };
  expect([decide(rules, true), decide(rules, false)]).toEqual(['administrator', 'member']);
});
