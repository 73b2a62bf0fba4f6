import { QueryFailedError } from 'typeorm';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** Whether a write failed because a row of the same key exists; by constraint where one is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, UNIQUE_VIOLATION, constraint);
}

/** Whether a write failed because a row it points at is missing, or still points at what was to go. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, FOREIGN_KEY_VIOLATION, constraint);
}

function isViolation(error: unknown, code: string, constraint: string | undefined): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const cause = error.driverError as { code?: string; constraint?: string };
  return cause.code === code && (constraint === undefined || cause.constraint === constraint);
}
