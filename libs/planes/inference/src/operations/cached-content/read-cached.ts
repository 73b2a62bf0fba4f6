import { GatewayError } from '@mg/contract';

/** @throws GatewayError `service_unavailable` when the database does not answer. */
export async function readCached<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question;
  } catch (error) {
    throw new GatewayError('service_unavailable', 'Cached contents cannot be reached at the moment.', {
      retryAfter: 1,
      cause: error,
    });
  }
}
