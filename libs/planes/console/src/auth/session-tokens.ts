import { newId, sha256 } from '@mg/contract';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

const ALGORITHM = 'HS256';
const ISSUER = 'model-gateway';
const AUDIENCE = 'console';
const ACCESS_SECONDS = 15 * 60;
/** A session that nobody renews for this long is over. */
export const REFRESH_SECONDS = 14 * 24 * 60 * 60;

/** How long a link to one video works; the page asks for another one then. */
const VIDEO_SECONDS = 60 * 60;

/**
 * `typ` headers keep the kinds apart: a refresh token opens no route, an access token starts no session, and that of a video's
 * link opens this video alone.
 */
const TYPE = { access: 'at+jwt', refresh: 'rt+jwt', video: 'vt+jwt' } as const;

/** What a token of ours always says; `aud` is checked here as well, since one audience in a list is not only ours. */
const claimsSchema = z.object({
  sub: z.uuid(),
  sid: z.uuid(),
  version: z.int(),
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  iat: z.number(),
  exp: z.number(),
  task: z.uuid().optional(),
});

type SessionTokenKind = Exclude<keyof typeof TYPE, 'video'>;

/** Who a valid session token speaks for; whether session and version are still the user's is asked of the database. */
export interface SessionClaim {
  readonly userId: string;
  readonly sessionId: string;
  readonly tokenVersion: number;
}

/** What the link to a video says: whose session it was made for, and which task. */
export interface VideoClaim extends SessionClaim {
  readonly taskId: string;
}

/** Moments in seconds since 1970. */
interface Lifetime {
  readonly id: string;
  readonly issuedAt: number;
  readonly seconds: number;
}

export interface SessionAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Seconds that the access token lives. */
  readonly expires_in: number;
}

/** Signs and reads Console sessions: HS256 only, with issuer, audience, type and expiry all required. */
export class SessionTokens {
  readonly #key: Uint8Array;
  readonly #accepted: readonly Uint8Array[];

  /** @param previous a second secret whose sessions are read, and which signs none: so that secrets can be rotated. */
  constructor(secret: string, previous?: string) {
    this.#key = toKey(secret);
    this.#accepted = previous === undefined ? [this.#key] : [this.#key, toKey(previous)];
  }

  async open(claim: SessionClaim): Promise<SessionAnswer> {
    const now = Math.floor(Date.now() / 1_000);
    return this.#answer(claim, now, newId());
  }

  /**
   * The successor of a refresh token, with a fresh access token. The same token and moment have the same successor, so that
   * it can be sent again without being stored.
   *
   * @param issuedAt seconds since 1970.
   */
  succeed(refreshToken: string, claim: SessionClaim, issuedAt: number): Promise<SessionAnswer> {
    return this.#answer(claim, issuedAt, sha256(refreshToken));
  }

  async #answer(claim: SessionClaim, issuedAt: number, refreshId: string): Promise<SessionAnswer> {
    const [accessToken, refreshToken] = await Promise.all([
      this.#sign('access', claim, { id: newId(), issuedAt, seconds: ACCESS_SECONDS }),
      this.#sign('refresh', claim, { id: refreshId, issuedAt, seconds: REFRESH_SECONDS }),
    ]);
    return { access_token: accessToken, refresh_token: refreshToken, expires_in: ACCESS_SECONDS };
  }

  /** Reads a token of a kind; `undefined` for anything that is not exactly one of ours and alive. */
  async read(kind: SessionTokenKind, token: string): Promise<SessionClaim | undefined> {
    return toClaim(await this.#readSigned(kind, token));
  }

  /** A token for the link to the video of one task, in the name of a session. */
  async signVideo({
    taskId,
    ...claim
  }: VideoClaim): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const issuedAt = Math.floor(Date.now() / 1_000);
    const life = { id: newId(), issuedAt, seconds: VIDEO_SECONDS };
    const token = await this.#sign('video', claim, life, { task: taskId });
    return { token, expiresAt: new Date((issuedAt + VIDEO_SECONDS) * 1_000) };
  }

  /** Reads the token of a video's link, as `read` does. */
  async readVideo(token: string): Promise<VideoClaim | undefined> {
    const claims = await this.#readSigned('video', token);
    const claim = toClaim(claims);
    return claim && claims?.task !== undefined ? { ...claim, taskId: claims.task } : undefined;
  }

  async #readSigned(kind: keyof typeof TYPE, token: string): Promise<Claims | undefined> {
    for (const key of this.#accepted) {
      const claims = await readSigned(kind, token, key);
      if (claims) return claims;
    }
    return undefined;
  }

  /** The id of its own makes each token a different text, however soon it follows another. */
  #sign(
    kind: keyof typeof TYPE,
    claim: SessionClaim,
    { id, issuedAt, seconds }: Lifetime,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    return new SignJWT({ ...more, version: claim.tokenVersion, sid: claim.sessionId })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE[kind] })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(claim.userId)
      .setJti(id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + seconds)
      .sign(this.#key);
  }
}

function toKey(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}

type Claims = z.output<typeof claimsSchema>;

function toClaim(claims: Claims | undefined): SessionClaim | undefined {
  return claims && { userId: claims.sub, sessionId: claims.sid, tokenVersion: claims.version };
}

async function readSigned(
  kind: keyof typeof TYPE,
  token: string,
  key: Uint8Array,
): Promise<Claims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE[kind],
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    return claimsSchema.safeParse(payload).data;
  } catch {
    return undefined;
  }
}
