import { describe, expect, it } from 'vitest';
import { en } from '../../messages/en.js';
import { zh } from '../../messages/zh.js';
import { type ChangeWords, describeChange } from './describe-change.js';

type Change = Parameters<typeof describeChange>[0];

const JO = { user_id: '1', email: 'jo@example.com', name: '', role: 'viewer' };

function wordsOf({ projects, invitations, audit }: typeof en): ChangeWords {
  return { ...audit, roles: projects.roles, anybody: invitations.anybody };
}

function say(
  { before = null, after = null, ...change }: Partial<Change> & Pick<Change, 'action'>,
  language = en,
) {
  return describeChange({ ...change, before, after }, wordsOf(language));
}

describe('describeChange', () => {
  it('says who got which role, and who was removed', () => {
    const made = { action: 'project.set_member', after: { member: JO } } as const;
    expect(say(made)).toBe('jo@example.com: viewer');
    expect(say(made, zh)).toBe('jo@example.com：查看者');
    expect(say({ action: 'project.set_member', before: { member: JO }, after: { member: null } })).toBe(
      'jo@example.com: removed',
    );
    expect(say({ action: 'project.join', after: { email: 'jo@example.com', role: 'owner' } })).toBe(
      'jo@example.com: owner',
    );
  });

  it('says whom an invitation is for, also one that was revoked', () => {
    const invitation = { email: null, role: 'member' };
    expect(say({ action: 'project.invite', after: { invitation } })).toBe('whoever has the link: member');
    expect(say({ action: 'project.take_invitation_back', before: { invitation: JO } })).toBe(
      'jo@example.com: viewer',
    );
  });

  it('says how much was topped up, and nothing of what it does not know', () => {
    expect(say({ action: 'wallet.top_up', after: { amount: '1234.5' } })).toBe('+$1,234.50');
    expect(say({ action: 'wallet.top_up', after: { amount: '-3' } })).toBe('−$3.00');
    expect(say({ action: 'token.change', before: {}, after: {} })).toBeUndefined();
    expect(say({ action: 'project.take_invitation_back', before: { invitation_id: '1' } })).toBeUndefined();
  });
});
