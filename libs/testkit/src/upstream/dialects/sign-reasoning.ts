import { createHash } from 'node:crypto';

/** A signature as a provider makes it: opaque, in base64, and valid for nothing but what it was made for. */
export function signReasoning(provider: string, content: string): string {
  const digest = createHash('sha256').update(`${provider} ${content}`).digest('base64');
  return Buffer.from(`${provider}:${digest}`).toString('base64');
}
