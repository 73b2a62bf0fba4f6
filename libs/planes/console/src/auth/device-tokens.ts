import { newId, sha256 } from '@mg/contract';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { findCookie } from '../http/find-cookie.js';

const ALGORITHM = 'HS256';
const ISSUER = 'model-gateway';
const AUDIENCE = 'console-device';
const TYPE = 'device+jwt';
/** A device that nobody signs in from for this long is unknown again. */
const LIFE_SECONDS = 180 * 24 * 60 * 60;

const claimsSchema = z.object({ sub: z.uuid(), jti: z.uuid() });

/**
 * Signed notes in a browser's cookie that this user has signed in from here before. They open nothing: whoever brings one
 * is only counted apart from unknown devices that guess (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 */
export class DeviceTokens {
  readonly #key: Uint8Array;
  readonly #accepted: readonly Uint8Array[];

  /** @param previous a second secret whose notes are read, and which signs none. */
  constructor(secret: string, previous?: string) {
    this.#key = new TextEncoder().encode(secret);
    this.#accepted = previous === undefined ? [this.#key] : [this.#key, new TextEncoder().encode(previous)];
  }

  /** The id of the device that a `Cookie` header knows this user by; `undefined` for an unknown device. */
  async find(userId: string, cookies: string | undefined): Promise<string | undefined> {
    const token = findCookie(nameCookie(userId), cookies);
    if (token === undefined) return undefined;
    for (const key of this.#accepted) {
      const claims = await readSigned(token, key);
      if (claims?.sub === userId) return claims.jti;
    }
    return undefined;
  }

  /**
   * The `Set-Cookie` header by which this browser is known from now on: sent to the login alone, and readable by no script.
   *
   * @param deviceId of a device that is known already.
   */
  async remember(userId: string, deviceId: string | undefined, isSecure: boolean): Promise<string> {
    const token = await new SignJWT()
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setJti(deviceId ?? newId())
      .setIssuedAt()
      .setExpirationTime(`${LIFE_SECONDS}s`)
      .sign(this.#key);
    const rules = `Max-Age=${LIFE_SECONDS}; Path=/api/v1/auth/login; HttpOnly; SameSite=Strict`;
    return `${nameCookie(userId)}=${token}; ${rules}${isSecure ? '; Secure' : ''}`;
  }
}

/** One cookie a user, so that people who share a browser do not forget each other. */
function nameCookie(userId: string): string {
  return `mg_device_${sha256(userId).slice(0, 16)}`;
}

async function readSigned(token: string, key: Uint8Array) {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ['exp'],
    });
    return claimsSchema.safeParse(payload).data;
  } catch {
    return undefined;
  }
}
