import type { RealtimeSurface, SurfaceAddress } from './descriptor.js';

const bearer: SurfaceAddress['authorize'] = (apiKey): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/**
 * The Realtime API as OpenAI has it: a WebSocket whose address names the model.
 *
 * @param facts what differs elsewhere.
 * @see https://platform.openai.com/docs/guides/realtime-websocket
 */
export function realtimeLikeOpenAi(
  facts: Partial<Pick<RealtimeSurface, 'path' | 'authorize' | 'serves'>> = {},
): RealtimeSurface {
  return { protocol: 'openai-realtime', path: nameModel, authorize: bearer, ...facts };
}

function nameModel({ model }: { readonly model: string }): string {
  return `/realtime?model=${encodeURIComponent(model)}`;
}
