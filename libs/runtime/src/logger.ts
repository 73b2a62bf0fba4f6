import { hostname } from 'node:os';
import { destination, type Logger, pino } from 'pino';
import { describeError } from './describe-error.js';

export type { Logger } from 'pino';

/** Values that look like credentials, wherever they turn up in a line: API keys, Google keys, bearer tokens, JWTs. */
const SECRET =
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\b[Bb]earer\s+[A-Za-z0-9._~+/=-]{8,}|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9._-]{10,}|([a-z]+:\/\/[^\s:/@"]*):[^\s@"]+@/g;

/** Hides everything that looks like a credential in a text that is about to leave the process. */
export function scrubSecrets(text: string): string {
  return text.replace(SECRET, (_match, scheme: string | undefined) =>
    scheme === undefined ? '[redacted]' : `${scheme}:[redacted]@`,
  );
}

/** Lines are gathered: a write for each would cost a busy gateway more than making the line. */
const BUFFER_BYTES = 12 * 1_024;
/** A write holds more than what is gathered before it. */
const MAX_WRITE_BYTES = 2 * BUFFER_BYTES;
const FLUSH_EVERY_MS = 200;

export interface LoggerOptions {
  readonly plane: string;
  readonly level: string;
}

/** JSON logs on stdout, one line an event; credentials are hidden whatever field or message they hide in. */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level,
      base: { plane: options.plane, pid: process.pid, host: hostname() },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: scrubSecrets },
    },
    destination({
      dest: 1,
      sync: false,
      minLength: BUFFER_BYTES,
      maxWrite: MAX_WRITE_BYTES,
      periodicFlush: FLUSH_EVERY_MS,
    }),
  );
}
