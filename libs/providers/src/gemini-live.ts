import type { RealtimeSurface } from './descriptor.js';

const VERSION = 'v1beta';

/**
 * Google's Live API: a WebSocket whose first message names the model.
 *
 * @param facts what differs elsewhere.
 * @see https://ai.google.dev/api/live
 */
export function liveSessions(facts: Pick<RealtimeSurface, 'authorize'>): RealtimeSurface {
  return {
    protocol: 'gemini-live',
    isBesideVersion: true,
    path: ({ version = VERSION }) =>
      `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`,
    ...facts,
  };
}
