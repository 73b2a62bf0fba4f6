import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './answer.js';

const MOST_RETRIES = 2;

/** What the API has answered in this tab. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // What was refused is refused again; only an absent or struggling server is asked once more.
      retry: (failures, error) =>
        failures < MOST_RETRIES && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
  },
});
