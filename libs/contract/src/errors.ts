import { omitUndefined } from './omit-undefined.js';
import { type RefusalReason, sayRefusal } from './refusals.js';

/** Every failure a caller can meet: its HTTP status and the kind of failure in the words official SDKs know. */
export const ERROR_TABLE = {
  invalid_request: { status: 400, type: 'invalid_request_error' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  unauthenticated: { status: 401, type: 'authentication_error' },
  insufficient_balance: { status: 402, type: 'billing_error' },
  model_not_allowed: { status: 403, type: 'permission_error' },
  address_not_allowed: { status: 403, type: 'permission_error' },
  forbidden: { status: 403, type: 'permission_error' },
  model_not_found: { status: 404, type: 'not_found_error' },
  model_not_priced: { status: 404, type: 'not_found_error' },
  not_found: { status: 404, type: 'not_found_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  idempotency_conflict: { status: 409, type: 'invalid_request_error' },
  conflict: { status: 409, type: 'invalid_request_error' },
  request_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  budget_exceeded: { status: 429, type: 'rate_limit_error' },
  quota_exceeded: { status: 429, type: 'rate_limit_error' },
  rate_limited: { status: 429, type: 'rate_limit_error' },
  internal_error: { status: 500, type: 'api_error' },
  upstream_error: { status: 502, type: 'api_error' },
  task_not_found: { status: 502, type: 'api_error' },
  upstream_unavailable: { status: 503, type: 'api_error' },
  service_unavailable: { status: 503, type: 'api_error' },
  loop_detected: { status: 508, type: 'api_error' },
} as const;

export type ErrorCode = keyof typeof ERROR_TABLE;

export interface ErrorFacts {
  /** Name of the offending field, in dots and brackets: `messages[0].role`. */
  readonly param?: string | undefined;
  /** Seconds after which another try may succeed. */
  readonly retryAfter?: number | undefined;
  /** Status the upstream answered with. */
  readonly upstreamStatus?: number | undefined;
  /** What the upstream calls the failure, such as `context_length_exceeded`. */
  readonly upstreamCode?: string | undefined;
  /** `error.details` for clients of Anthropic's dialect, whose SDKs act on it. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** The narrower cause, where the code covers several: `model_not_priced` for a tool that the model has no price for. */
  readonly reason?: ErrorCode | RefusalReason | undefined;
  /** What the words of a reason have in them, in their order. */
  readonly values?: readonly string[] | undefined;
  readonly cause?: unknown;
  /** HTTP status, where it is another than the table's. */
  readonly status?: number | undefined;
}

/** The `detail` object of an error answer, as the specification's section 2.11 and the operator contract shape it. */
export interface ErrorDetail {
  readonly code: ErrorCode;
  readonly message: string;
  readonly request_id: string;
  readonly type: string;
  readonly param?: string;
  readonly retry_after?: number;
  readonly upstream_status?: number;
  readonly upstream_code?: string;
  readonly reason?: ErrorCode | RefusalReason;
  readonly values?: readonly string[];
}

/** Of what is said to a caller, in characters. What they sent may stand in it, and have megabytes. */
const LONGEST_MESSAGE = 4_096;
const LONGEST_PARAM = 1_024;

/** A failure that may be shown to a caller: its message is written for them and holds no secret. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly param: string | undefined;
  readonly retryAfter: number | undefined;
  readonly upstreamStatus: number | undefined;
  readonly upstreamCode: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly status: number;
  readonly reason: ErrorCode | RefusalReason | undefined;
  readonly values: readonly string[] | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(shorten(message, LONGEST_MESSAGE), facts.cause === undefined ? undefined : { cause: facts.cause });
    this.param = facts.param === undefined ? undefined : shorten(facts.param, LONGEST_PARAM);
    this.retryAfter = facts.retryAfter;
    this.upstreamStatus = facts.upstreamStatus;
    this.upstreamCode = facts.upstreamCode;
    this.details = facts.details;
    this.status = facts.status ?? ERROR_TABLE[code].status;
    this.reason = facts.reason;
    this.values = facts.values;
  }

  toDetail(requestId: string): ErrorDetail {
    return omitUndefined({
      code: this.code,
      message: this.message,
      request_id: requestId,
      type: ERROR_TABLE[this.code].type,
      param: this.param,
      retry_after: this.retryAfter,
      upstream_status: this.upstreamStatus,
      upstream_code: this.upstreamCode,
      reason: this.reason,
      values: this.values,
    });
  }
}

/** @returns the text with `...` for what is beyond so many characters. */
function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}...`;
}

interface RefusalFacts extends Omit<ErrorFacts, 'reason' | 'values'> {
  /** What stands at the places of the reason's words, in their order. */
  readonly values?: readonly (string | number)[];
}

/** An error that says why by its reason, after the name of the field where there is one. */
export function refuse(
  code: ErrorCode,
  reason: RefusalReason,
  { values = [], ...facts }: RefusalFacts = {},
): GatewayError {
  const words = sayRefusal(reason, values);
  const message = facts.param === undefined ? `${words}.` : `${facts.param}: ${words}.`;
  return new GatewayError(code, message, {
    ...facts,
    reason,
    values: values.length === 0 ? undefined : values.map(String),
  });
}
