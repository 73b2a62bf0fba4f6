import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { omitUndefined, type Task, type ApiVariant } from '@mg/contract';
import { type TaskLinks, toUnixSeconds } from './task-answer.js';

/** How long a link of ours works; a poll makes a new one. */
const LINK_SECONDS = 60 * 60;
const PREFIXES: Readonly<Record<ApiVariant, string>> = { generic: 'task_', native: 'cgt-' };

/** The key of everything that the gateway derives for video tasks: names, links and webhook secrets. */
export interface TaskKey {
  readonly names: Buffer;
  readonly links: Buffer;
  readonly webhooks: Buffer;
  /** The same of a second ENCRYPTION_KEY, while it is being rotated: its links work, and it signs webhooks too. */
  readonly previous?: TaskKey;
}

/** Derives the keys of video tasks from ENCRYPTION_KEY, and from ENCRYPTION_KEY_PREVIOUS where there is one, by HKDF-SHA-256. */
export function deriveTaskKey(encryptionKey: string, previous?: string): TaskKey {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', encryptionKey, 'model-gateway', purpose, 32));
  return omitUndefined({
    names: derive('video tasks: public ids'),
    links: derive('video tasks: content links'),
    webhooks: derive('video tasks: webhook secrets'),
    previous: previous === undefined ? undefined : deriveTaskKey(previous),
  });
}

/** What a task is polled by: made from its id, so that a call which is run again names the same task, and not to be guessed. */
export function namePublicTask(taskId: string, apiVariant: ApiVariant, key: TaskKey): string {
  return PREFIXES[apiVariant] + createHmac('sha256', key.names).update(taskId).digest('hex').slice(0, 32);
}

/** What a caller's webhooks are signed with, in the form that Standard Webhooks gives secrets. */
export function deriveWebhookSecret(tokenId: string, key: TaskKey): string {
  return `whsec_${createHmac('sha256', key.webhooks).update(tokenId).digest('base64')}`;
}

/** Every secret that the receiver of a webhook may know of: two while ENCRYPTION_KEY is being rotated. */
export function listWebhookSecrets(tokenId: string, key: TaskKey): string[] {
  const secret = deriveWebhookSecret(tokenId, key);
  return key.previous ? [secret, deriveWebhookSecret(tokenId, key.previous)] : [secret];
}

/** Links to a task's result, or `undefined` while it has none. Results behind a credential, and our own copies, are ours to serve. */
export function linkTask(task: Task, base: string, key: TaskKey, nowMs: number): TaskLinks | undefined {
  const { result } = task;
  if (task.state !== 'succeeded' || !result) return undefined;
  const last = result.lastFrameUrl === undefined ? {} : { lastFrame: result.lastFrameUrl };
  if (result.stored === undefined && result.needsKey !== true) {
    const expiry = result.expiresAt === undefined ? {} : { expiresAt: result.expiresAt };
    return { video: result.url, ...last, ...expiry };
  }
  const proof = proveLink(task.publicId, key, nowMs);
  const query = new URLSearchParams({ ...proof });
  return {
    video: `${base}${contentPath(task.publicId)}?${query.toString()}`,
    ...last,
    expiresAt: Number(proof.expires) * 1_000,
  };
}

/** Where the gateway serves a task's result. */
export function contentPath(publicId: string): string {
  return `/v1/video/generations/${encodeURIComponent(publicId)}/content`;
}

/** What makes a link one of ours: until when it works, in Unix seconds, and the signature. */
export interface LinkProof {
  readonly expires: string;
  readonly sig: string;
}

export function proveLink(publicId: string, key: TaskKey, nowMs: number): LinkProof {
  const expires = toUnixSeconds(nowMs) + LINK_SECONDS;
  return { expires: String(expires), sig: signLink(publicId, expires, key) };
}

/** Whether a link is one of ours and still works. */
export function checkLink(
  publicId: string,
  { expires, sig }: LinkProof,
  key: TaskKey,
  nowMs: number,
): boolean {
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 < nowMs) return false;
  const expected = Buffer.from(signLink(publicId, Number(expires), key));
  const given = Buffer.from(sig);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return true;
  return key.previous !== undefined && checkLink(publicId, { expires, sig }, key.previous, nowMs);
}

function signLink(publicId: string, expires: number, key: TaskKey): string {
  return createHmac('sha256', key.links).update(`${publicId}\n${expires}`).digest('base64url');
}
