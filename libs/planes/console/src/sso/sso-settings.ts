import { type Environment, EnvironmentError, type EnvironmentName } from '@mg/contract';
import { readClaimRule, type RoleRules } from './role-rules.js';

/** How the Console is known at an OpenID Connect issuer. */
export interface SsoSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the issuer sends browsers back to. */
  readonly redirectUrl: string;
  /** What it is asked for beside `openid email profile`. */
  readonly scopes: string | undefined;
  readonly roleRules: RoleRules;
  /** Claim whose values let into projects; without it no membership follows from a claim. */
  readonly projectsClaim: string | undefined;
}

const NAMES = [
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_REDIRECT_URL',
] as const satisfies EnvironmentName[];

/** Mean something beside the others alone. */
const OPTIONAL_NAMES = [
  'OIDC_ADMINISTRATOR_CLAIM',
  'OIDC_MEMBER_CLAIM',
  'OIDC_PROJECTS_CLAIM',
  'OIDC_SCOPES',
] as const satisfies EnvironmentName[];

/**
 * The settings of single sign-on; `undefined` where it is off.
 *
 * @throws EnvironmentError where some of them are set and others are not.
 */
export function readSsoSettings(
  environment: Pick<Environment, (typeof NAMES | typeof OPTIONAL_NAMES)[number]>,
): SsoSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = environment;
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_REDIRECT_URL: redirectUrl } = environment;
  const missing = NAMES.filter((name) => environment[name] === undefined);
  const isOff = missing.length === NAMES.length;
  if (isOff && OPTIONAL_NAMES.every((name) => environment[name] === undefined)) return undefined;
  if (!issuer || !clientId || !clientSecret || !redirectUrl) {
    throw new EnvironmentError(
      `${missing.join(', ')}: required for single sign-on, with the other OIDC_ settings.`,
    );
  }
  return {
    issuer,
    clientId,
    clientSecret,
    redirectUrl,
    scopes: environment.OIDC_SCOPES,
    roleRules: {
      administrator: readClaimRule(environment.OIDC_ADMINISTRATOR_CLAIM),
      member: readClaimRule(environment.OIDC_MEMBER_CLAIM),
    },
    projectsClaim: environment.OIDC_PROJECTS_CLAIM,
  };
}
