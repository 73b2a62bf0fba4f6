import { GatewayError } from '@mg/contract';

/** @throws GatewayError `service_unavailable` when the database does not answer, and what the question throws for its caller. */
export async function readStored<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('service_unavailable', 'Files and batches cannot be reached at the moment.', {
      retryAfter: 1,
      cause: error,
    });
  }
}
