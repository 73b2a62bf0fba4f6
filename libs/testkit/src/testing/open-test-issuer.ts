import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, decodeJwt, SignJWT } from 'jose';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';

/** How the Console is registered there. */
export const OIDC_CLIENT = { id: 'console', secret: 'a secret of the console at its issuer' };

/** What the issuer knows of somebody. */
interface TestAccount {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  /** Told to whoever asks for the scope `groups`. */
  readonly groups?: readonly string[];
}

export interface TestIssuer {
  readonly url: string;
  /** By subject. */
  readonly accounts: Map<string, TestAccount>;
  /** Who signs in next; `undefined` for somebody who declines. */
  subject: string | undefined;
  /** Rewrites the claims of ID tokens, as an issuer that is broken or hostile could. */
  tamper: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Signs ID tokens with a key that is not the issuer's. */
  forges: boolean;
  close(): Promise<void>;
}

/** A real OpenID Connect provider, at which everybody is signed in at once as `subject`. @param port any by default. */
export async function openTestIssuer(redirectUrl: string, port = 0): Promise<TestIssuer> {
  // Loaded by those tests alone that need it.
  const { Provider } = await import('oidc-provider');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [own, foreign] = await Promise.all([makeKey(), makeKey()]);
  const issuer: TestIssuer = {
    url,
    accounts: new Map(),
    subject: undefined,
    tamper: undefined,
    forges: false,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new Provider(url, describeProvider(issuer, own, redirectUrl));
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) {
      await provider.interactionFinished(context.req, context.res, answerOf(issuer));
      // It has answered by itself.
      context.respond = false;
      return;
    }
    await next();
    const body = context.body as { id_token?: string } | undefined;
    if (context.path !== '/token' || body?.id_token === undefined) return;
    const claims = decodeJwt(body.id_token);
    if (!issuer.tamper && !issuer.forges) return;
    context.body = {
      ...body,
      id_token: await sign(issuer.tamper?.(claims) ?? claims, issuer.forges ? foreign : own),
    };
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return issuer;
}

function describeProvider(issuer: TestIssuer, key: JWK, redirectUrl: string): Configuration {
  return {
    clients: [{ client_id: OIDC_CLIENT.id, client_secret: OIDC_CLIENT.secret, redirect_uris: [redirectUrl] }],
    jwks: { keys: [key as never] },
    cookies: { keys: ['a key of the cookies of the issuer'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...issuer.accounts.get(subject) }),
    }),
    loadExistingGrant: grantAll,
  };
}

/** Nobody is asked what the Console may see of them. */
async function grantAll({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc;
  if (!client || session?.accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid email profile groups');
  await grant.save();
  return grant;
}

function answerOf({ subject }: TestIssuer) {
  return subject === undefined ? { error: 'access_denied' } : { login: { accountId: subject } };
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'the only one' };
}

async function sign(claims: JWTPayload, key: JWK): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: key.kid ?? '' })
    .sign(await importJWK(key, 'RS256'));
}
