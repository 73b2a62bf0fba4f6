import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Keys that links to images are signed with; those of a second ENCRYPTION_KEY work while it is being rotated. */
export interface ImageKeys {
  readonly current: Buffer;
  readonly previous: Buffer | undefined;
}

/** Derives the keys of links to images by HKDF-SHA-256. */
export function deriveImageKeys(encryptionKey: string, previous?: string): ImageKeys {
  const derive = (key: string) => Buffer.from(hkdfSync('sha256', key, 'model-gateway', 'images: links', 32));
  return { current: derive(encryptionKey), previous: previous === undefined ? undefined : derive(previous) };
}

/** The query of a link to a file. @param expires Unix time in seconds. */
export function signImageLink(name: string, expires: number, { current }: ImageKeys): string {
  return new URLSearchParams({ expires: String(expires), sig: sign(name, expires, current) }).toString();
}

/** Whether a link is one of ours and still works. */
export function checkImageLink(
  name: string,
  { expires, sig }: { readonly expires: string; readonly sig: string },
  { current, previous }: ImageKeys,
  nowMs: number,
): boolean {
  if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 < nowMs) return false;
  return [current, previous].some(
    (key) => key !== undefined && isEqual(sign(name, Number(expires), key), sig),
  );
}

function isEqual(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function sign(name: string, expires: number, key: Buffer): string {
  return createHmac('sha256', key).update(`${name}\n${expires}`).digest('base64url');
}
