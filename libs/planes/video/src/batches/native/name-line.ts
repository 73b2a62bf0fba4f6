import type { UpstreamLine } from '@mg/persistence/video';

const NAME = /^([1-9]\d{0,5})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * By which a provider's results name a line: its place, and the request id under which it was held for this once. Digits,
 * letters, `_` and `-`: providers take nothing else.
 */
export function nameLine({ line, requestId }: Pick<UpstreamLine, 'line' | 'requestId'>): string {
  return `${line}_${requestId}`;
}

/** Reads what {@link nameLine} wrote; `undefined` for any other name. */
export function readLineName(name: unknown): Pick<UpstreamLine, 'line' | 'requestId'> | undefined {
  const [, line, requestId] = (typeof name === 'string' && NAME.exec(name)) || [];
  return line === undefined || requestId === undefined ? undefined : { line: Number(line), requestId };
}
