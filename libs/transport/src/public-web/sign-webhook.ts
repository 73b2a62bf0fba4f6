import { createHmac } from 'node:crypto';

/**
 * Headers that let a receiver check where a webhook comes from, by Standard Webhooks: an id that stays the same when it
 * is sent again, the time, and an HMAC-SHA256 over both and the body.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @param secrets as `whsec_` and base64; each signs, so that a receiver may know any of them.
 */
export function signWebhook(
  id: string,
  unixSeconds: number,
  body: Buffer,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${unixSeconds}.`).update(body).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
