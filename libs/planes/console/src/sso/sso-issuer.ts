import type { SsoChecks, UserRole } from '@mg/persistence/console';
import * as openid from 'openid-client';
import { decideRole, listRuleClaims, listValues } from './role-rules.js';
import { SsoRefusal } from './sso-refusal.js';
import type { SsoSettings } from './sso-settings.js';

/** For each request to the issuer. */
const TIMEOUT_SECONDS = 10;
/** Endpoints of an issuer seldom move; its keys are looked up again by themselves. */
const METADATA_MS = 60 * 60 * 1_000;
/** As OpenID Connect bounds them. */
const LONGEST_SUBJECT = 255;

/** What the issuer says of whoever signed in there. */
export interface SsoClaims {
  readonly issuer: string;
  readonly subject: string;
  /** Only where the issuer says that it was verified. */
  readonly verifiedEmail: string | undefined;
  readonly name: string;
  /** `undefined` where roles are given in the Console. */
  readonly role: UserRole | undefined;
  /** Values of the claim that lets into projects; `undefined` where none is read. */
  readonly groups: readonly string[] | undefined;
}

type Claims = openid.IDToken | openid.UserInfoResponse;

/** The OpenID Connect issuer, found when it is first needed: the Console starts without it. */
export class SsoIssuer {
  #found: { readonly configuration: Promise<openid.Configuration>; readonly untilMs: number } | undefined;

  /** @param settings `undefined` where single sign-on is off. */
  constructor(readonly settings: SsoSettings | undefined) {}

  /**
   * The address that a browser is sent to.
   *
   * @throws Error when the issuer cannot be reached or is not what the settings name.
   */
  async buildUrl(settings: SsoSettings, state: string, { nonce, codeVerifier }: SsoChecks): Promise<string> {
    const configuration = await this.#discover(settings);
    return openid.buildAuthorizationUrl(configuration, {
      redirect_uri: settings.redirectUrl,
      scope: ['openid email profile', settings.scopes].filter(Boolean).join(' '),
      response_type: 'code',
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }).href;
  }

  /**
   * Exchanges what a browser came back with and checks everything: state, `iss`, nonce, audience, times and signature.
   *
   * @param query of the address that the browser came back to.
   * @throws SsoRefusal `refused` when the issuer signed nobody in, `no_role` when it says nothing that lets them enter; Error when anything is not as it should be.
   */
  async readClaims(
    settings: SsoSettings,
    query: URLSearchParams,
    { nonce, codeVerifier }: SsoChecks,
  ): Promise<SsoClaims> {
    const configuration = await this.#discover(settings);
    const url = new URL(settings.redirectUrl);
    url.search = query.toString();
    const tokens = await exchange(configuration, url, {
      expectedState: query.get('state') ?? '',
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || claims.sub.length > LONGEST_SUBJECT)
      throw new Error('The issuer sent no usable ID token.');
    const sources = await readSources(configuration, settings, tokens.access_token, claims);
    const find = (name: string) => sources.find((source) => source[name] !== undefined)?.[name];
    const role = decideRole(settings.roleRules, find);
    if (role === 'refused') throw new SsoRefusal('no_role', 'The issuer says nothing that lets them enter.');
    const name = find('name');
    return {
      issuer: claims.iss,
      subject: claims.sub,
      verifiedEmail: findVerifiedEmail(sources),
      name: typeof name === 'string' ? name : '',
      role: role === 'kept' ? undefined : role,
      groups: settings.projectsClaim === undefined ? undefined : listValues(find(settings.projectsClaim)),
    };
  }

  /** What failed is tried again the next time. */
  #discover(settings: SsoSettings): Promise<openid.Configuration> {
    if (this.#found && this.#found.untilMs > performance.now()) return this.#found.configuration;
    const found = { configuration: discover(settings), untilMs: performance.now() + METADATA_MS };
    this.#found = found;
    found.configuration.catch(() => {
      if (this.#found === found) this.#found = undefined;
    });
    return found.configuration;
  }
}

function discover({ issuer, clientId, clientSecret }: SsoSettings): Promise<openid.Configuration> {
  const url = new URL(issuer);
  return openid.discovery(url, clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // Signatures of ID tokens are checked although they come from the issuer over TLS.
      openid.enableNonRepudiationChecks,
      // The settings take plain HTTP on this machine alone.
      ...(url.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
    ],
  });
}

async function exchange(
  configuration: openid.Configuration,
  url: URL,
  checks: openid.AuthorizationCodeGrantChecks,
) {
  try {
    return await openid.authorizationCodeGrant(configuration, url, checks);
  } catch (error) {
    if (!(error instanceof openid.AuthorizationResponseError)) throw error;
    throw new SsoRefusal('refused', `The issuer signed nobody in: ${error.error}.`);
  }
}

/** Some issuers say the e-mail address and groups in the ID token, which comes first, others only when they are asked. */
async function readSources(
  configuration: openid.Configuration,
  { roleRules, projectsClaim }: SsoSettings,
  accessToken: string,
  claims: openid.IDToken,
): Promise<Claims[]> {
  const groups = projectsClaim === undefined ? [] : [projectsClaim];
  const wanted = ['email', 'email_verified', ...listRuleClaims(roleRules), ...groups];
  const isComplete = wanted.every((name) => claims[name] !== undefined);
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return [claims];
  return [claims, await openid.fetchUserInfo(configuration, accessToken, claims.sub)];
}

/** What one source says of an address does not verify the address of another. */
function findVerifiedEmail(sources: readonly Claims[]): string | undefined {
  const source = sources.find(
    ({ email, email_verified }) => email !== undefined && email_verified !== undefined,
  );
  return typeof source?.email === 'string' && source.email_verified === true ? source.email : undefined;
}
