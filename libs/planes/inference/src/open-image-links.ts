import { type Lifecycle, type PlaneOptions, repeatEvery } from '@mg/runtime';
import type { ResultStore } from '@mg/transport';
import { ImageLinks } from './images/image-links.js';

const EXPIRE_EVERY_MS = 60 * 60 * 1_000;

/** Addresses for images, where results are kept; images whose links have ended are deleted every hour. */
export function openImageLinks(
  store: ResultStore | undefined,
  { environment, logger }: Pick<PlaneOptions, 'environment' | 'logger'>,
  life: Lifecycle,
): ImageLinks | undefined {
  if (!store) return undefined;
  const links = new ImageLinks(store, environment, logger);
  const expiry = repeatEvery(
    EXPIRE_EVERY_MS,
    () => links.expire(),
    (error) => logger.warn({ err: error }, 'old images could not be deleted from the result store'),
  );
  life.own('background', 'expiry of images', expiry);
  return links;
}
