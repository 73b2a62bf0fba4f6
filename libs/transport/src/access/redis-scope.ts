import { createHmac, timingSafeEqual } from 'node:crypto';
import { nameInstallation } from '@mg/contract';

/**
 * How far the time of a message may be from the receiver's own: more than clocks differ that are kept, less than what a
 * message is good for that somebody recorded. `CLAIM_MS` of the server covers both directions.
 */
export const MAX_AGE_MS = 60_000;

/**
 * Why a message is refused: it is none of ours at all, was not signed with the installation's secret as it stands there, or
 * its time is over.
 */
export type RefusedMessage = 'malformed' | 'forged' | 'expired';

export interface RedisScopeOptions {
  readonly redisUrl: string;
  /** Of the installation, from its database: whoever knows it may speak in its planes' names. */
  readonly secret: string;
  /** Called for every message that was refused. */
  readonly onRefused: (reason: RefusedMessage) => void;
}

const MESSAGE = /^(\d{1,16})\.([\w-]{43})\.(.*)$/s;

/**
 * What one installation is in a Redis that others may use as well: every channel and key carries its name, and every message
 * its signature. A message is `<milliseconds since 1970>.<HMAC-SHA256 of channel, time and text>.<text>`.
 */
export class RedisScope {
  readonly redisUrl: string;
  /** Of all keys and channels; BullMQ's `prefix`. */
  readonly prefix: string;
  readonly #secret: string;
  readonly #onRefused: RedisScopeOptions['onRefused'];

  constructor({ redisUrl, secret, onRefused }: RedisScopeOptions) {
    this.redisUrl = redisUrl;
    this.prefix = `mg:${nameInstallation(secret)}`;
    this.#secret = secret;
    this.#onRefused = onRefused;
  }

  /** The full name of a channel or key. */
  name(name: string): string {
    return `${this.prefix}:${name}`;
  }

  /** A message for a channel, good there and for a minute. */
  sign(channel: string, text: string, nowMs = Date.now()): string {
    return `${nowMs}.${this.digest(channel, String(nowMs), text)}.${text}`;
  }

  /** The text of a message that came over a channel; `undefined` for one that is refused, which is reported. */
  open(channel: string, message: string, nowMs = Date.now()): string | undefined {
    const [, sentAt = '', digest = '', text = ''] = MESSAGE.exec(message) ?? [];
    if (sentAt === '') return this.refuse('malformed');
    if (!isSame(digest, this.digest(channel, sentAt, text))) return this.refuse('forged');
    if (Math.abs(nowMs - Number(sentAt)) > MAX_AGE_MS) return this.refuse('expired');
    return text;
  }

  /** HMAC-SHA256 of the parts in their order, in base64url. */
  digest(...parts: readonly string[]): string {
    const hmac = createHmac('sha256', this.#secret);
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
    return hmac.digest('base64url');
  }

  refuse(reason: RefusedMessage): undefined {
    this.#onRefused(reason);
  }
}

/** Takes as long for every text of the same length. */
export function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
