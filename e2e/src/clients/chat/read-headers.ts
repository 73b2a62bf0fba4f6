/** Headers of an answer by name, in lower case. */
export function readHeaders({ headers }: Pick<Response, 'headers'>): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.entries());
}
