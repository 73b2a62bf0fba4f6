import { GatewayError } from '@mg/contract';

/** @throws GatewayError `service_unavailable` when the database does not answer. */
export async function askAccount<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question;
  } catch (error) {
    throw new GatewayError('service_unavailable', 'Usage cannot be read at the moment.', {
      retryAfter: 1,
      cause: error,
    });
  }
}
