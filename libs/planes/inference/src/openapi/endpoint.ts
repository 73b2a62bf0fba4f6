import type { ErrorCode } from '@mg/contract';
import type { SchemaName } from './schemas.js';

/** A parameter in path, query or header, as OpenAPI has it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: object;
  readonly required?: true;
  readonly description?: string;
}

/** Schemas of a body by its media type; several are alternatives, none is a body of bytes. */
export type Bodies = Readonly<Record<string, SchemaName | readonly SchemaName[] | undefined>>;

export interface Answer {
  readonly description: string;
  readonly content?: Bodies;
  readonly headers?: Readonly<Record<string, object>>;
}

/** What a call costs decides how it may fail: `billed` takes money, `free` wants a key, `open` wants nothing. */
export type Cost = 'billed' | 'free' | 'open';

/** An operation of the public API: what it takes, answers and costs. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** As OpenAPI writes it: `/v1/models/{model}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly cost: Cost;
  readonly request?: Bodies;
  readonly parameters?: readonly Parameter[];
  /** Answers that are no failure, by status; or failures with a body of their own. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Failures beside those that every call of its cost may meet. */
  readonly failures?: readonly ErrorCode[];
  /** Other credentials than an API key. */
  readonly security?: readonly object[];
}

/** NUL is refused in every path and query. */
export const text = { type: 'string', pattern: String.raw`^[^\u0000]*$` } as const;
export const MODEL_IN_PATH: Parameter = { name: 'model', in: 'path', required: true, schema: text };

/** A whole number from 1 on, with what it is when it is left out. */
export function count(maximum: number, usual: number) {
  return { type: 'integer', minimum: 1, maximum, default: usual } as const;
}

/** An answer as JSON. */
export function json(description: string, schema: SchemaName | readonly SchemaName[]): Answer {
  return { description, content: { 'application/json': schema } };
}

/** An answer as JSON, or as a stream whose events are described one by one. */
export function jsonOrEvents(whole: SchemaName, event: SchemaName): Answer {
  return {
    description: 'The answer in this protocol, or its event stream, whose schema is that of one event.',
    content: { 'application/json': whole, 'text/event-stream': event },
  };
}
