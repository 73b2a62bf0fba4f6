import type { AuditEntry } from '../../api/console-api.js';
import { sayCode } from '../../messages/say-code.js';
import { showUsd } from '../../money/usd.js';

type Fields = Readonly<Record<string, unknown>>;

/** What it is said with. */
export interface ChangeWords {
  /** In a project. */
  readonly roles: Readonly<Record<string, string>>;
  /** Whom an invitation without an address is for. */
  readonly anybody: string;
  readonly removed: string;
  readonly isNow: (who: string, what: string) => string;
}

/** What of a change its action and target do not tell: whom and which role, how much. Nothing for other changes. */
export function describeChange(
  { action, before, after }: Pick<AuditEntry, 'action' | 'before' | 'after'>,
  words: ChangeWords,
): string | undefined {
  switch (action) {
    case 'project.set_member':
      return describeMember(toFields(before?.['member']), toFields(after?.['member']), words);
    case 'project.join':
      return describeMember(undefined, toFields(after), words);
    case 'project.invite':
    case 'project.take_invitation_back': {
      const invitation = toFields(after?.['invitation']) ?? toFields(before?.['invitation']);
      return describeMember(undefined, invitation, words);
    }
    case 'wallet.top_up':
      return typeof after?.['amount'] === 'string' ? showUsd(after['amount'], { isSigned: true }) : undefined;
    default:
      return undefined;
  }
}

/** @param after nothing for somebody who was removed. */
function describeMember(
  before: Fields | undefined,
  after: Fields | undefined,
  { roles, anybody, removed, isNow }: ChangeWords,
): string | undefined {
  const member = after ?? before;
  if (member === undefined) return undefined;
  const { email, role } = member;
  const what = after === undefined ? removed : sayCode(roles, String(role));
  return isNow(typeof email === 'string' ? email : anybody, what);
}

function toFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}
