import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The headers of a range request as they came. */
interface RangeWish {
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
}

/** A file, or a part of it, on its way. */
interface FileOnItsWay {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** Headers of a file that its reader needs; what else an upstream says stays here. */
const PASSED = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'];
/** A reader that takes nothing for so long is gone, or paused and asks for the rest when it goes on, as players do. */
const STALLED_MS = 60_000;
const SHOWN_TYPE = /^(video|image|audio)\/[\w.+-]+/;

/** What of a file a client asks for. */
export function readRangeWish({ headers }: FastifyRequest): RangeWish {
  const ifRange = headers['if-range'];
  return { range: headers.range, ifRange: Array.isArray(ifRange) ? ifRange[0] : ifRange };
}

/** Has an answer that is long closed where its reader takes nothing of it: it would keep connections here and behind it. */
export function limitStall({ raw }: FastifyReply): void {
  raw.setTimeout(STALLED_MS, () => raw.destroy());
}

/** Answers with a file, or the part of it that was opened, so that no browser runs what is in it. */
export function sendFile({ status, headers, body }: FileOnItsWay, reply: FastifyReply): FastifyReply {
  for (const name of PASSED) if (headers[name] !== undefined) reply.header(name, headers[name]);
  if (!SHOWN_TYPE.test(String(headers['content-type']))) {
    reply.header('content-type', status === 416 ? 'text/plain' : 'application/octet-stream');
  }
  reply.headers({
    'cache-control': 'private, max-age=3600',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  limitStall(reply);
  return reply.code(status).send(body);
}
