import { type CapturedBody, openBody, type SecretKey } from '@mg/persistence/console';

/** Opens bodies with the console's ENCRYPTION_KEY. */
export class CapturedBodyReader {
  constructor(private readonly secretKey: SecretKey) {}

  /** @returns `null` for a body that was sealed with another ENCRYPTION_KEY: the other one may still be read. */
  read(body: CapturedBody): string | null {
    try {
      return openBody(body.sealed, body, this.secretKey);
    } catch {
      return null;
    }
  }
}
