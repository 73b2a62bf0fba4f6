/**
 * Codes of errors within Google's batches, which are no statuses of HTTP.
 *
 * @see https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto
 */
export const RPC_CODES = {
  cancelled: 1,
  unknown: 2,
  invalid: 3,
  late: 4,
  notFound: 5,
  denied: 7,
  exhausted: 8,
  precondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;
