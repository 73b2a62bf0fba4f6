import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4_096;
const SALT_BYTES = 16;
const DIGEST_BYTES = 32;

/**
 * What Postgres keeps of a password (https://www.rfc-editor.org/rfc/rfc5803): with it the password itself never reaches
 * the server, nor its log of statements. Passwords are ASCII, so that there is nothing to normalise.
 */
export function toScramVerifier(password: string, salt: Buffer = randomBytes(SALT_BYTES)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, DIGEST_BYTES, 'sha256');
  const sign = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
