import type { UserRole } from '@mg/persistence/console';

/** A claim, and the value that it has or contains. */
interface ClaimRule {
  readonly name: string;
  readonly value: string;
}

const MOST_VALUES = 10_000;

/** Who is what, by what the issuer says of them. */
export interface RoleRules {
  /** Without it roles are given in the Console. */
  readonly administrator: ClaimRule | undefined;
  /** Without it whoever the issuer signs in may enter. */
  readonly member: ClaimRule | undefined;
}

/** Reads `groups=gateway-admins`; what follows the first `=` is the value. */
export function readClaimRule(text: string | undefined): ClaimRule | undefined {
  if (text === undefined) return undefined;
  const cut = text.indexOf('=');
  return { name: text.slice(0, cut), value: text.slice(cut + 1) };
}

/** The texts that a claim is or lists, at most 10,000 of them. What no database holds is no group. */
export function listValues(claim: unknown): string[] {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values
    .slice(0, MOST_VALUES)
    .filter((value): value is string => typeof value === 'string' && !value.includes('\0'));
}

/** The claims that the rules ask for. */
export function listRuleClaims({ administrator, member }: RoleRules): string[] {
  return [administrator, member].flatMap((rule) => (rule ? [rule.name] : []));
}

/**
 * What somebody is by their claims: a role, `kept` where the rules leave it to the Console, `refused` where they may not
 * enter. A claim that is missing is one without the value: issuers leave out a list that is empty.
 */
export function decideRole(
  { administrator, member }: RoleRules,
  findClaim: (name: string) => unknown,
): UserRole | 'kept' | 'refused' {
  const meets = ({ name, value }: ClaimRule) => hasValue(findClaim(name), value);
  if (administrator && meets(administrator)) return 'administrator';
  if (member && !meets(member)) return 'refused';
  return administrator ? 'member' : 'kept';
}

/** Exactly, letter by letter; a flag is written `true` or `false`. */
function hasValue(claim: unknown, value: string): boolean {
  if (Array.isArray(claim)) return claim.includes(value);
  return claim === value || (typeof claim === 'boolean' && String(claim) === value);
}
