import { hostname } from 'node:os';
import { destination, type Logger, pino } from 'pino';
import { describeError } from './describe-error.js';
import { GatheredLines } from './gathered-lines.js';

export type { Logger } from 'pino';

/**
 * What credentials begin with, or stand behind: of providers, of other services, of the web. Whatever may fail after a long run
 * is bounded, since the text may be an upstream's: unbounded, it could hold up the process by many beginnings without an end.
 */
const WORDS = [
  // OpenAI, Anthropic, OpenRouter and many more; Stripe.
  String.raw`(?:sk|pk|rk)-[\w-]{8,}`,
  String.raw`[rs]k_(?:live|test)_\w{8,}`,
  // Google: API keys and OAuth tokens.
  String.raw`AIza[\w-]{20,}`,
  String.raw`ya29\.[\w.-]{10,}`,
  // Slack, AWS, GitHub, GitLab, Hugging Face, Groq, Replicate, xAI, NVIDIA, Perplexity, Tavily.
  String.raw`xox[a-z]-[\w-]{8,}`,
  String.raw`A(?:KIA|SIA)[A-Z0-9]{16}\b`,
  String.raw`gh[a-z]_\w{16,}|github_pat_\w{16,}`,
  String.raw`glpat-[\w-]{16,}`,
  String.raw`(?:hf|gsk|r8)_\w{16,}`,
  String.raw`(?:xai|nvapi|pplx|tvly)-[\w-]{16,}`,
  String.raw`[Bb](?:earer|EARER)\s+[\w.~+/=-]{8,}`,
  // Words such as "Basic authentication" hold small letters only.
  String.raw`[Bb](?:asic|ASIC)\s+(?=[a-z]*[A-Z0-9+/=])[\w+/-]{8,}={0,2}`,
  String.raw`eyJ[\w-]{10,512}\.[\w.-]{10,}`,
];

/** The text of a key file. */
const KEY_FILE = String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`;

/** Parts of an address: a password, and a key or a signature in the query, after what stays to be read. */
const IN_ADDRESS = String.raw`(:\/\/[^\s:/@"]{0,128}:)[^\s@"]{1,256}(?=@)|([?&](?:key|api[-_]?key|access_token|token|sig|signature|X-Amz-Signature)=)[^\s&"#\\]+`;

/** One look at where a word begins, for it is taken at every line. */
const SECRET = new RegExp(String.raw`\b(?:${WORDS.join('|')})|${KEY_FILE}|${IN_ADDRESS}`, 'g');

/** Hides everything that looks like a credential in a text that is about to leave the process. */
export function scrubSecrets(text: string): string {
  return text.replace(
    SECRET,
    (_match, password: string | undefined, query: string | undefined) =>
      `${password ?? query ?? ''}[redacted]`,
  );
}

/** Lines are gathered: a write for each would cost a busy gateway more than making the line. */
const BUFFER_BYTES = 12 * 1_024;
/** A write holds more than what is gathered before it. */
const MAX_WRITE_BYTES = 2 * BUFFER_BYTES;
const FLUSH_WITHIN_MS = 200;
const SECOND_MS = 1_000;
/** Up to this size, writes of several processes to one pipe do not mix (PIPE_BUF of Linux). */
const MAX_SHARED_WRITE_BYTES = 4_096;
const SHARED_BUFFER_BYTES = 3 * 1_024;

export interface LoggerOptions {
  readonly plane: string;
  readonly level: string;
  /** Whether other processes write to the same output. */
  readonly sharesOutput?: boolean;
}

let second = Number.NaN;
let secondText = '';

/** The moment as pino adds it to a line, as ISO 8601: of the lines of one second only the milliseconds are written again. */
function timeOfLine(): string {
  const now = Date.now();
  const milliseconds = now % SECOND_MS;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    secondText = `,"time":"${new Date(second).toISOString().slice(0, -'000Z'.length)}`;
  }
  return `${secondText}${String(milliseconds).padStart(3, '0')}Z"`;
}

/** JSON logs on stdout, one line an event; credentials are hidden whatever field or message they hide in. */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level,
      base: { plane: options.plane, pid: process.pid, host: hostname() },
      timestamp: timeOfLine,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: scrubSecrets },
    },
    gather(options.sharesOutput === true),
  );
}

function gather(isShared: boolean): GatheredLines {
  const mostBytes = isShared ? MAX_SHARED_WRITE_BYTES : MAX_WRITE_BYTES;
  return new GatheredLines(destination({ dest: 1, sync: false, minLength: 1, maxWrite: mostBytes }), {
    enoughBytes: isShared ? SHARED_BUFFER_BYTES : BUFFER_BYTES,
    mostBytes,
    passWithinMs: FLUSH_WITHIN_MS,
  });
}
