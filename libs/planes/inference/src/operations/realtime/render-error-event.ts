import { type GatewayError, newId } from '@mg/contract';

/**
 * An error as an event of the Realtime API.
 *
 * @param requestId of the session.
 * @see https://platform.openai.com/docs/api-reference/realtime-server-events/error
 */
export function renderErrorEvent(error: GatewayError, requestId: string): string {
  const { type, code, message, param = null } = error.toDetail(requestId);
  return JSON.stringify({
    type: 'error',
    event_id: `event_${newId()}`,
    error: { type, code, message, param, event_id: null, request_id: requestId },
  });
}
