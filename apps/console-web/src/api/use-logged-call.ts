import { useQuery } from '@tanstack/react-query';
import { ApiError } from './answer.js';
import { apiQuery } from './api-query.js';

/** The log is written a moment after the answer: a call that was just made is asked for again. */
const MOST_RETRIES = 8;
const RETRY_MS = 250;

/** A call of the logs, asked for until it is written; nothing is asked without an id. */
export function useLoggedCall(requestId: string | undefined) {
  return useQuery({
    ...apiQuery('/api/v1/logs/{request_id}', { path: { request_id: requestId ?? '' } }),
    enabled: requestId !== undefined,
    retry: (failures, error) => failures < MOST_RETRIES && error instanceof ApiError && error.status === 404,
    retryDelay: RETRY_MS,
  });
}
