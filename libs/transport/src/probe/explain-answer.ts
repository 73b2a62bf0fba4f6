/** What an upstream that refused said, in one sentence. */
export function explainAnswer(status: number, text: string): string {
  const said = readErrorMessage(text);
  return said === undefined ? `The upstream answered ${status}.` : `The upstream answered ${status}: ${said}`;
}

/** The message of an error body in any of the usual shapes: `{error: {message}}`, `{error}`, `{detail}`, `{message}`. */
function readErrorMessage(text: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const path of [['error', 'message'], ['error'], ['detail', 'message'], ['detail'], ['message']]) {
    const value = path.reduce<unknown>(
      (part, key) => (part !== null && typeof part === 'object' ? Reflect.get(part, key) : undefined),
      body,
    );
    if (typeof value === 'string') return value;
  }
  return undefined;
}
