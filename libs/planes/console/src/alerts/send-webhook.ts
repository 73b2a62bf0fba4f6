import { toUnixSeconds } from '@mg/protocols';
import { fetchPublic, signWebhook } from '@mg/transport';
import type { WebhookDestination } from './alert-destinations.js';

const TIMEOUT_MS = 10_000;
/** What a receiver says beside its status is not of interest. */
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface SignedMessage {
  /** Stays the same when it is sent again. */
  readonly id: string;
  readonly message: Readonly<Record<string, unknown>>;
  /** What it is signed with, by Standard Webhooks: an HMAC over id, time and body. */
  readonly secrets: readonly string[];
}

/**
 * Posts a message as JSON.
 *
 * @param allowPrivate whether a URL that the Console names may lead to private addresses.
 * @throws Error when the receiver cannot be reached, or answers with anything but 2xx.
 */
export async function sendWebhook(
  { url, source }: WebhookDestination,
  { id, message, secrets }: SignedMessage,
  allowPrivate: boolean,
): Promise<void> {
  const body = Buffer.from(JSON.stringify(message));
  const { status } = await fetchPublic(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signWebhook(id, toUnixSeconds(Date.now()), body, secrets),
    },
    body,
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
    allowPrivate: source === 'environment' || allowPrivate,
  });
  if (status < 200 || status > 299) throw new Error(`the receiver answered with status ${status}`);
}
