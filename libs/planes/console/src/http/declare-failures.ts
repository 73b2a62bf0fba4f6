import { ERROR_TABLE, REFUSAL_REASONS } from '@mg/contract';
import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const text = { type: 'string' };

const ERROR = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'object',
      required: ['code', 'message', 'request_id', 'type'],
      properties: {
        code: { ...text, enum: Object.keys(ERROR_TABLE) },
        message: text,
        request_id: { ...text, format: 'uuid' },
        type: text,
        param: { ...text, description: 'The field that is wrong.' },
        retry_after: { type: 'integer', description: 'Seconds.' },
        reason: {
          ...text,
          enum: REFUSAL_REASONS,
          description: 'What the message says, by a code; words of others, as of the gateway, have none.',
        },
        values: { type: 'array', items: text, description: 'What stands in the words of the reason.' },
      },
    },
  },
};

/** Routes that are there only where it is set up. */
const OPTIONAL = '/api/v1/auth/sso/';

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is wrong; `param` names the field.',
  401: 'There is no session, or it is over; at the login: the e-mail address or the password is wrong, or, with `param` `code`, the code of the second factor is missing or wrong.',
  403: 'The role of the caller may not do this.',
  404: 'There is no such row, or it is not the caller\u2019s; of single sign-on: it is not set up.',
  409: 'It cannot be done as things stand.',
  413: 'The body is larger than this route takes.',
  415: 'The body is not application/json.',
  429: 'Too many attempts; `Retry-After` says when to try again.',
  500: 'A failure of the Console.',
  503: 'Something that is needed does not answer.',
};

const RESPONSES = Object.fromEntries(
  Object.entries(MEANINGS).map(([status, description]) => [
    nameResponse(status),
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
);

/** Adds to every operation of a document the failures that it may be answered with, by what kind of operation it is. */
export function declareFailures(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) declareOn(operation, listStatuses(operation, method, path));
    }
  }
  const { schemas, responses } = document.components ?? {};
  document.components = {
    ...document.components,
    schemas: { ...schemas, Error: ERROR },
    responses: { ...responses, ...RESPONSES },
  };
  return document;
}

function listStatuses(
  { requestBody, security, parameters = [] }: Operation,
  method: string,
  path: string,
): number[] {
  const namesProject = parameters.some((one) => 'name' in one && one.name === 'project_id');
  return [
    400,
    401,
    500,
    503,
    ...(security ? [403] : []),
    ...(requestBody || path.includes('{') || namesProject || path.startsWith(OPTIONAL) ? [404] : []),
    // A body is looked at wherever one may come, wanted or not.
    ...(method === 'get' ? [] : [409, 413, 415, 429]),
  ];
}

function declareOn(operation: Operation, statuses: readonly number[]): void {
  for (const status of statuses) {
    operation.responses[String(status)] ??= { $ref: `#/components/responses/${nameResponse(status)}` };
  }
}

function nameResponse(status: string | number): string {
  return `Error${status}`;
}
