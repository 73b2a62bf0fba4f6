import { omitUndefined } from '@mg/contract';
import type { RealtimeCall, RealtimeSurface } from './descriptor.js';

const bearer: RealtimeSurface['authorize'] = (apiKey): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

/**
 * The Realtime API as OpenAI has it: a WebSocket whose address names the model, or the intent to transcribe.
 *
 * @param facts what differs elsewhere.
 * @see https://platform.openai.com/docs/guides/realtime-websocket
 */
export function realtimeLikeOpenAi({
  authorize = bearer,
  ...facts
}: Partial<Pick<RealtimeSurface, 'path' | 'authorize' | 'serves' | 'knowsBeta'>> = {}): RealtimeSurface {
  return {
    protocol: 'openai-realtime',
    path: (call) => `/realtime?${askRealtime(call)}`,
    authorize: (apiKey, call) => ({
      ...authorize(apiKey, call),
      ...omitUndefined({ 'openai-beta': call.version }),
    }),
    ...facts,
  };
}

/** The query that says what a session is to be. */
export function askRealtime({ model, intent }: Pick<RealtimeCall, 'model' | 'intent'>): string {
  return intent === undefined ? `model=${encodeURIComponent(model)}` : `intent=${intent}`;
}
