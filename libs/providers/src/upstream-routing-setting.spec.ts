import { describe, expect, it } from 'vitest';
import { findProvider } from './registry.js';

describe('allow_upstream_routing', () => {
  it.each(['openrouter', 'openai-compatible'])('lets callers choose behind a channel of type %s', (type) => {
    const provider = findProvider(type);
    const settings = { allow_upstream_routing: true };
    expect(provider?.settings.safeParse(settings).success).toBe(true);
    const surfaces = [...(provider?.surfaces ?? []), ...(provider?.exchanges ?? [])];
    expect(surfaces.length).toBeGreaterThan(1);
    for (const surface of surfaces) {
      expect(surface.traits?.('m', settings).allowsUpstreamRouting).toBe(true);
      expect(surface.traits?.('m', {}).allowsUpstreamRouting ?? false).toBe(false);
    }
  });

  it('is no setting of providers that have one model for each name', () => {
    expect(findProvider('anthropic')?.settings.safeParse({ allow_upstream_routing: true }).success).toBe(
      false,
    );
  });
});
