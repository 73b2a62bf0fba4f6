import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

/** Argon2id with OWASP's parameters: 19 MiB, two passes, one lane. */
const COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** What somebody has to spend on each guess: KiB, passes over them, and lanes. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Hashes passwords for `app_user.password_hash`, in the PHC string format. */
export class PasswordHasher {
  /** No password has this hash; to find that out takes as long as with any other. */
  readonly nobodys: string;

  /** @param cost of new hashes; tests, which hash by the hundred and keep nothing, have another. */
  constructor(private readonly cost = COST) {
    this.nobodys = format(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES), cost);
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return format(salt, await deriveTag(password, salt, TAG_BYTES, this.cost), this.cost);
  }
}

function format(salt: Buffer, tag: Buffer, { memory, passes, parallelism }: HashCost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(tag)}`;
}

/** Whether a password is the hashed one. A hash in an unknown format matches nothing. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const match = PHC.exec(hash);
  if (!match) return false;
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  const expected = Buffer.from(tag, 'base64');
  const actual = await deriveTag(password, Buffer.from(salt, 'base64'), expected.length, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected);
}

function deriveTag(password: string, salt: Buffer, tagLength: number, cost: HashCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message: password, nonce: salt, tagLength, ...cost }, (error, tag) => {
      if (error) reject(error);
      else resolve(tag);
    });
  });
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
