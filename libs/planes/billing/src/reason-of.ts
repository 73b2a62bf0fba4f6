/** What a failure says of itself, for a log line: without the statement, its parameters and the driver's own story. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
