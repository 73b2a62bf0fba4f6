import { newId } from '@mg/contract';
import { Secret, TOTP } from 'otpauth';
import type { SessionAnswer } from '../auth/session-tokens.js';
import { ADMIN, type OpenConsole, type TestBed } from './open-test-console.js';

/** Password of every member that is made here. */
export const MEMBER_PASSWORD = 'a member password';

interface Refused {
  readonly detail: { readonly code: string; readonly param?: string };
}

export interface ConfirmedFactor {
  readonly recovery_codes: string[];
  readonly session: SessionAnswer;
}

interface Member {
  readonly id: string;
  readonly email: string;
}

/** A member who signs in with a code. */
interface Enrolled extends Member {
  readonly secret: string;
  readonly recoveryCodes: string[];
  /** The one that confirming opened. */
  readonly session: SessionAnswer;
}

/** Members with second factors, and what they ask the API of them. */
export class SecondFactors {
  private constructor(
    private readonly bed: TestBed,
    private readonly console: OpenConsole,
    /** Session of an administrator. */
    readonly admin: string,
  ) {}

  static async over(bed: TestBed, console: OpenConsole): Promise<SecondFactors> {
    return new SecondFactors(bed, console, await console.login(ADMIN.email, ADMIN.password));
  }

  async makeMember(): Promise<Member> {
    const email = `${newId()}@example.com`;
    const { body } = await this.console.call<{ id: string }>('POST', '/api/v1/users', {
      session: this.admin,
      body: { email, password: MEMBER_PASSWORD, role: 'member' },
    });
    return { id: body.id, email };
  }

  async enrol(): Promise<Enrolled> {
    const member = await this.makeMember();
    const session = await this.console.login(member.email, MEMBER_PASSWORD);
    const { secret } = (await this.begin(session)).body;
    const { body } = await this.confirm(session, codeOf(secret));
    await this.letTimePass(member.id);
    return { ...member, secret, recoveryCodes: body.recovery_codes, session: body.session };
  }

  login(email: string, code?: string, password = MEMBER_PASSWORD) {
    const body = code === undefined ? { email, password } : { email, password, code };
    return this.console.call<SessionAnswer & Refused>('POST', '/api/v1/auth/login', { body });
  }

  begin(session: string, password = MEMBER_PASSWORD) {
    const body = { current_password: password };
    return this.#post<{ secret: string; otpauth_uri: string } & Refused>(session, '', body);
  }

  confirm(session: string, code: string) {
    return this.#post<ConfirmedFactor & Refused>(session, '/confirm', { code });
  }

  disable(session: string, code: string, password = MEMBER_PASSWORD) {
    return this.#post<Refused>(session, '/disable', { current_password: password, code });
  }

  /** As if the codes that were used so far were of long ago. */
  letTimePass(userId: string): Promise<unknown> {
    return this.bed.database.query('update user_totp set last_step = 0 where user_id = $1', [userId]);
  }

  async statusOf(session: string): Promise<number> {
    return (await this.console.call('GET', '/api/v1/me', { session })).status;
  }

  async stateOf(session: string): Promise<unknown> {
    return (await this.console.call('GET', '/api/v1/me/totp', { session })).body;
  }

  /** What the audit log says of a user's second factor, oldest first. */
  async listAudit(userId: string) {
    const { body } = await this.console.call<{
      data: { action: string; actor_email: string; after: unknown }[];
    }>('GET', `/api/v1/audit?target_id=${userId}&limit=100`, { session: this.admin });
    return body.data.toReversed().filter(({ action }) => action !== 'user.create');
  }

  #post<Body>(session: string, path: string, body: object) {
    return this.console.call<Body>('POST', `/api/v1/me/totp${path}`, { session, body });
  }
}

/** What an authenticator app shows now. */
export function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
}

/** A code that is wrong now and in the next minutes. */
export function wrongCodeOf(secret: string): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const candidates = Array.from({ length: 50 }, (_, at) => String(at).padStart(6, '0'));
  return candidates.find((token) => totp.validate({ token, window: 10 }) === null) ?? '';
}
