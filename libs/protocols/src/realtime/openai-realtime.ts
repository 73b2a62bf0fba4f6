import { parseLongClientEvent } from './client-events.js';
import { readClientEvent } from './read-client-event.js';
import { PCM_AUDIO, readServerEvent } from './read-server-event.js';
import type { SessionProtocol } from './session-protocol.js';

/**
 * OpenAI's Realtime API.
 *
 * @see https://platform.openai.com/docs/api-reference/realtime
 */
export const openAiRealtime: SessionProtocol = {
  name: 'openai-realtime',
  title: "OpenAI's Realtime API",
  answersAnything: false,
  audio: PCM_AUDIO,
  parseLongClientEvent,
  readClientEvent,
  openReader: () => ({
    read(message) {
      const event = readServerEvent(message);
      return event && [event];
    },
  }),
  renderCancel: (responseId) => JSON.stringify({ type: 'response.cancel', response_id: responseId }),
  /** @see https://platform.openai.com/docs/api-reference/realtime-server-events/error */
  renderError(error, ids) {
    const { type, code, message, param = null } = error.toDetail(ids.request);
    return JSON.stringify({
      type: 'error',
      event_id: ids.event,
      error: { type, code, message, param, event_id: null, request_id: ids.request },
    });
  },
  renderGoingAway: () => undefined,
  renderClose: () => undefined,
  statusOfClose: () => undefined,
};
