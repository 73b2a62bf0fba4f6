import { openTotpSecret, sealTotpSecret, type SecretKey } from '@mg/persistence/console';
import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Model Gateway';
/** As long as SHA-1's output, which RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Codes of the step before and the one after are good too: clocks differ, and typing takes time (RFC 6238, section 5.2). */
const STEPS_BESIDE = 1;

/** A secret as its user is shown it, once. */
export interface NewTotpSecret {
  /** In Base32. */
  readonly secret: string;
  /** What authenticator apps take, as a link or a QR code. */
  readonly uri: string;
  readonly sealed: string;
}

/** Codes of authenticator apps (RFC 6238), in the one form that every app knows: SHA-1, six digits, 30 seconds. */
export class TotpCodes {
  constructor(private readonly key: SecretKey) {}

  makeSecret(user: { readonly id: string; readonly email: string }): NewTotpSecret {
    const secret = new Secret({ size: SECRET_BYTES });
    return {
      secret: secret.base32,
      uri: toTotp(secret, user.email).toString(),
      sealed: sealTotpSecret(user.id, secret.base32, this.key),
    };
  }

  /**
   * The time step, of 30 seconds since 1970, that a code belongs to; `undefined` for a code that is wrong now.
   *
   * @throws SecretError when the secret was sealed with another ENCRYPTION_KEY.
   */
  findStep(userId: string, sealed: string, code: string): number | undefined {
    const totp = toTotp(Secret.fromBase32(openTotpSecret(userId, sealed, this.key)), '');
    const timestamp = Date.now();
    const delta = totp.validate({ token: code, timestamp, window: STEPS_BESIDE });
    return delta === null ? undefined : totp.counter({ timestamp }) + delta;
  }
}

function toTotp(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, algorithm: 'SHA1', digits: 6, period: 30 });
}
