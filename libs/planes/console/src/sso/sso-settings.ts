import { type Environment, EnvironmentError, type EnvironmentName } from '@mg/contract';

/** How the Console is known at an OpenID Connect issuer. */
export interface SsoSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the issuer sends browsers back to. */
  readonly redirectUrl: string;
}

const NAMES = [
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_REDIRECT_URL',
] as const satisfies EnvironmentName[];

/**
 * The settings of single sign-on; `undefined` where it is off.
 *
 * @throws EnvironmentError where some of them are set and others are not.
 */
export function readSsoSettings(
  environment: Pick<Environment, (typeof NAMES)[number]>,
): SsoSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = environment;
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_REDIRECT_URL: redirectUrl } = environment;
  const missing = NAMES.filter((name) => environment[name] === undefined);
  if (missing.length === NAMES.length) return undefined;
  if (!issuer || !clientId || !clientSecret || !redirectUrl) {
    throw new EnvironmentError(
      `${missing.join(', ')}: required for single sign-on, with the other OIDC_ settings.`,
    );
  }
  return { issuer, clientId, clientSecret, redirectUrl };
}
