import { isObject, type JsonObject } from '../json.js';
import { readObjects, readText } from './read-fields.js';
import type { UpstreamError } from './upstream-error.js';

/**
 * The message, and the field and the reason where Google names them in its details: `API_KEY_INVALID`. Bodies are sometimes an
 * array of one.
 *
 * @see https://cloud.google.com/apis/design/errors#error_details
 */
export function parseGeminiError(body: string): UpstreamError {
  const error = findError(body);
  return {
    message: readText(error?.message),
    param: error && readViolatedField(error),
    code: error && readReason(error),
    retryAfterMs: error && readRetryDelayMs(error),
  };
}

function findError(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const first: unknown = Array.isArray(value) ? value.find((item) => isObject(item) && item.error) : value;
    return isObject(first) && isObject(first.error) ? first.error : undefined;
  } catch {
    return undefined;
  }
}

/** Google says in a `RetryInfo` what others say in `Retry-After`: `{retryDelay: "34.07s"}`. */
function readRetryDelayMs({ details }: JsonObject): number | undefined {
  for (const { retryDelay } of readObjects(details)) {
    const [, seconds] = /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(readText(retryDelay) ?? '') ?? [];
    if (seconds !== undefined && Number(seconds) > 0) return Number(seconds) * 1_000;
  }
  return undefined;
}

/** Of Google's `ErrorInfo`. */
function readReason({ details }: JsonObject): string | undefined {
  return readObjects(details)
    .map(({ reason }) => readText(reason))
    .find((reason) => reason !== undefined);
}

function readViolatedField({ details }: JsonObject): string | undefined {
  for (const detail of readObjects(details)) {
    const violations: unknown = detail.fieldViolations;
    for (const violation of Array.isArray(violations) ? violations : []) {
      if (isObject(violation) && typeof violation.field === 'string') return violation.field;
    }
  }
  return undefined;
}
