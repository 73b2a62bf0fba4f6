import { ERROR_TABLE, type ErrorCode } from '@mg/contract';
import { type Schema, text } from './openapi-schemas.js';

/** Headers of any billed call. */
export const CALL_HEADERS: readonly Schema[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { ...text, maxLength: 255 },
    description: 'One answer, one charge.',
  },
  {
    name: 'x-gateway-strict',
    in: 'header',
    schema: { ...text, enum: ['1'] },
    description: 'Refuse a call rather than leave out a hint that the channel cannot carry.',
  },
];

/** Errors by their status, for the answers of an operation. */
export function errorResponses(codes: readonly ErrorCode[]): Record<string, Schema> {
  const byStatus = Map.groupBy(codes, (code) => ERROR_TABLE[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => [
      String(status),
      { description: sameStatus.join(', '), content: { 'application/json': { schema: ref('Error') } } },
    ]),
  );
}

/** A body that is described among the schemas. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

const EVERYWHERE: readonly ErrorCode[] = ['invalid_request'];
const WITH_KEY: readonly ErrorCode[] = [
  'invalid_api_key',
  'rate_limited',
  'internal_error',
  'service_unavailable',
];
const WITH_BODY: readonly ErrorCode[] = ['request_too_large', 'unsupported_media_type'];
const BILLED: readonly ErrorCode[] = [
  'insufficient_balance',
  'model_not_allowed',
  'model_not_found',
  'model_not_priced',
  'idempotency_conflict',
  'upstream_error',
];

/** Adds to every operation the failures that its kind may be answered with; those that it names itself stay. */
export function declareFailures(paths: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, withFailures(operation as Schema)]),
      ),
    ]),
  );
}

function withFailures(operation: Schema): Schema {
  const isOpen = Array.isArray(operation.security) && operation.security.length === 0;
  const isBilled = Array.isArray(operation.parameters) && operation.parameters.includes(CALL_HEADERS[0]);
  const codes = [
    ...EVERYWHERE,
    ...(isOpen ? [] : WITH_KEY),
    ...(operation.requestBody ? WITH_BODY : []),
    ...(isBilled ? BILLED : []),
  ];
  return { ...operation, responses: { ...errorResponses(codes), ...(operation.responses as Schema) } };
}
