import { omitUndefined } from '@mg/contract';
import { pino, type SerializedError } from 'pino';

/** What a line of the log says of an error. */
export type ErrorFacts = Pick<SerializedError, 'type' | 'message' | 'stack'> & {
  /** Of Postgres, of the system or of a library, such as `23505` or `ECONNRESET`. */
  readonly code?: string;
  /** Of Postgres: the rule that a statement would have broken. */
  readonly constraint?: string;
};

/**
 * An error with its causes for the log. Its other fields stay out: a database's error brings along the statement and its
 * parameters, among them hashes of keys.
 */
export function describeError(error: Error): ErrorFacts {
  const { type, message, stack, code, constraint } = pino.stdSerializers.err(error) as SerializedError &
    ErrorFacts;
  return omitUndefined({
    type,
    message,
    stack,
    code: typeof code === 'string' ? code : undefined,
    constraint: typeof constraint === 'string' ? constraint : undefined,
  });
}

/** The message of whatever was thrown, for a log line: without a statement, its parameters or a stack. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
