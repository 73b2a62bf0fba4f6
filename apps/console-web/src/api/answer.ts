import type { components } from './console-api.js';

type Detail = components['schemas']['Error']['detail'];

/** Why the API refuses, for pages in other languages than its own. */
export type RefusalReason = NonNullable<Detail['reason']>;

/** A refusal as the API words it; of another version, or of what stands before it, parts may be missing. */
interface Refusal {
  readonly detail?: Partial<Detail>;
}

interface ApiErrorFields {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | undefined;
  readonly param?: string | undefined;
  readonly reason?: RefusalReason | undefined;
  /** What stands in the words of the reason. */
  readonly values?: readonly string[] | undefined;
}

/** What went wrong with a request, in the API's own words where it answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  /** The field that is wrong, where the API names one. */
  readonly param: string | undefined;
  readonly reason: RefusalReason | undefined;
  readonly values: readonly string[];

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.param = fields.param;
    this.reason = fields.reason;
    this.values = fields.values ?? [];
  }

  /** Whether it is about a field, or a part of it. */
  isOf(field: string): boolean {
    return this.param !== undefined && isPartOf(this.param, field);
  }

  /** What is wrong without the name of the field: a reader knows that by its label. */
  get fault(): string {
    const { param, message } = this;
    const fault = message.startsWith(`${param}: `) ? message.slice(`${param}: `.length) : message;
    return fault.charAt(0).toUpperCase() + fault.slice(1);
  }
}

/** Whether a path such as `limits.rpm` or `allowed_ips[1]` is a field or in it. */
function isPartOf(path: string, field: string): boolean {
  return path.startsWith(field) && ['', '.', '['].includes(path.charAt(field.length));
}

/**
 * Reads a JSON answer; none for 204.
 *
 * @throws ApiError for a refusal, and with the code `unreachable` when nobody answers.
 */
export async function readAnswer<Body>(send: () => Promise<Response>): Promise<Body> {
  const response = await reach(send);
  if (!response.ok) throw await readRefusal(response);
  return (response.status === 204 ? undefined : await response.json()) as Body;
}

/** @throws ApiError with the code `unreachable` when nobody answers; an `AbortError` stays one. */
export async function reach(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError({ status: 0, code: 'unreachable', message: '' });
  }
}

/** The error of an answer that is not ok. */
export async function readRefusal(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const text = await response.text();
  const detail = parseRefusal(text)?.detail;
  return new ApiError({
    status: response.status,
    code: detail?.code ?? 'unknown',
    message: detail?.message ?? text.slice(0, 300),
    requestId: detail?.request_id ?? requestId,
    param: detail?.param,
    reason: detail?.reason,
    values: detail?.values,
  });
}

function parseRefusal(text: string): Refusal | undefined {
  try {
    return JSON.parse(text) as Refusal;
  } catch {
    return undefined;
  }
}
