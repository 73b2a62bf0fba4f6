import type { IncomingHttpHeaders } from 'node:http';

export function readBearer({ authorization }: IncomingHttpHeaders): string {
  return authorization?.replace(/^Bearer /, '') ?? '';
}
