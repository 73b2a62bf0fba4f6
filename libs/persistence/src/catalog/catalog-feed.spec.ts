import type { Catalog } from '@mg/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CatalogFeed } from './catalog-feed.js';

describe('the feed of the catalog', () => {
  let feed: CatalogFeed | undefined;
  afterEach(() => feed?.close());

  it('reads again when a change is announced while it reads for the first time', async () => {
    const reading = Promise.withResolvers<void>();
    const versions: number[] = [];
    feed = new CatalogFeed(async (version): Promise<Catalog> => {
      versions.push(version);
      if (version === 1) await reading.promise;
      return { version, models: new Map(), channelsBySlug: new Map() };
    }, vi.fn<(error: unknown) => void>());
    const started = feed.start();
    feed.refresh();
    reading.resolve();
    await started;
    await expect.poll(() => feed?.current.version).toBe(2);
    expect(versions).toEqual([1, 2]);
  });
});
