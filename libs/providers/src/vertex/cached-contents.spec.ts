import { expect, it } from 'vitest';
import { chooseSurface } from '../build-outgoing.js';
import { vertex } from './index.js';

it('cached contents lie in the project, name their model in full, and a role for each turn', () => {
  const settings = { project: 'acme-1', location: 'europe-west4' };
  const call = { model: 'gemini-2.5-pro', stream: false, settings };
  const surface = chooseSurface(vertex, 'cached-content', call.model, 'gemini-generate', settings);
  expect(surface?.path(call)).toBe('/projects/acme-1/locations/europe-west4/cachedContents');
  const body = { model: 'models/gemini-2.5-pro', ttl: '3660s', contents: [{ parts: [{ text: 'hi' }] }] };
  expect(surface?.adapt?.(body, call)).toEqual({
    model: 'projects/acme-1/locations/europe-west4/publishers/google/models/gemini-2.5-pro',
    ttl: '3660s',
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  });
});

it('Claude keeps none', () => {
  const settings = { project: 'acme-1' };
  expect(
    chooseSurface(vertex, 'cached-content', 'claude-opus-5-5', 'gemini-generate', settings),
  ).toBeUndefined();
});
