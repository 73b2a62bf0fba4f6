import { omitUndefined, type TaskResult } from '@mg/contract';
import { isObject, type JsonObject, keepReported } from '@mg/protocols';
import type { JobReply, PollResult, RefusalKind, SubmitResult } from './job-surface.js';

/** What a provider's status of a job means. */
export type JobStatus = 'submitted' | 'running' | 'succeeded' | 'failed' | 'expired' | 'cancelled';

/** What a provider's statuses mean. */
export type StatusMap = Readonly<Record<string, JobStatus>>;

/** What a status means, or `undefined` when it is not known here. */
export function mapStatus(table: StatusMap, word: unknown): JobStatus | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;
}

/** An error as a provider reports it. */
export interface ProviderError {
  readonly code: string;
  readonly message: string;
  readonly param?: string;
}

/** Statuses by which a provider certainly made nothing. All others leave open whether it did. */
const FAULTS: Readonly<Record<number, RefusalKind>> = {
  400: 'caller',
  401: 'credential',
  402: 'credential',
  403: 'credential',
  404: 'broken',
  405: 'broken',
  413: 'caller',
  415: 'caller',
  422: 'caller',
  429: 'limited',
  508: 'loop',
};

/** Overload: a limit only in an error of the provider's own, as gateways in between say the same of requests that arrived. */
const OVERLOADS: ReadonlySet<number> = new Set([503, 529]);

/**
 * What the refusal of a submit means, by its status and by codes whose meaning differs from it. An error that the provider
 * reports is a refusal, a 5xx among them. A page of something in between, and an answer that says nothing, is unclear.
 */
export function mapSubmitError(
  reply: JobReply,
  said: ProviderError | undefined,
  codes: Readonly<Record<string, RefusalKind>> = {},
): SubmitResult {
  const own = said && Object.hasOwn(codes, said.code) ? codes[said.code] : undefined;
  const words = said ?? readUnknownError(reply);
  const byMessage = words && (OVERLOADS.has(reply.status) ? 'limited' : 'broken');
  const fault = own ?? FAULTS[reply.status] ?? byMessage;
  if (fault === undefined) return toUnclearResult(reply);
  return { kind: 'refused', fault, ...(words ?? { code: `http_${reply.status}`, message: shorten(reply) }) };
}

/** An error in JSON whose shape is not quite the provider's own, as that of a look-alike may be. */
function readUnknownError({ status, json }: JobReply): ProviderError | undefined {
  const error = json?.error ?? json?.detail;
  const message = isObject(error) ? error.message : error;
  if (!isObject(error) && (typeof error !== 'string' || error === '')) return undefined;
  return { code: `http_${status}`, message: typeof message === 'string' ? message : 'no reason' };
}

/** An answer that says nothing of the job: for the log, and to be asked again. */
export function toUnclearResult(
  reply: JobReply,
  said?: ProviderError,
): { readonly kind: 'unclear'; readonly message: string } {
  const words = said ? `${said.code}: ${said.message}` : shorten(reply);
  return { kind: 'unclear', message: `the provider answered ${reply.status}: ${words}` };
}

const LONGEST_MESSAGE = 300;
const LONGEST_STATUS = 64;

function shorten({ text }: JobReply): string {
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return words === '' ? 'nothing' : words.slice(0, LONGEST_MESSAGE);
}

/** Of a job's id, and of an address of its result: each stands in lists of hundreds of tasks. Servers take no longer addresses. */
const LONGEST_ID = 1_024;
const LONGEST_LINK = 8 * 1_024;

/** @param data what the job is asked for with beside its id; what is longer than any provider's is left out. */
export function acceptJob(id: string, data: JsonObject = {}): SubmitResult {
  if (id.length > LONGEST_ID) {
    return { kind: 'unclear', message: `the provider gave the job an id of ${id.length} characters` };
  }
  return { kind: 'accepted', job: { id, data: keepReported(data) } };
}

/** An address that a provider reports; `undefined` for what is none. */
export function readLink(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= LONGEST_LINK ? value : undefined;
}

/** What a poll reported, as far as it did. */
export interface PollFacts {
  /** From 0 to 100. */
  readonly progress?: unknown;
  readonly url?: unknown;
  readonly result?: Omit<TaskResult, 'url'>;
  /** Length of the video in seconds, as a number or a text. */
  readonly seconds?: unknown;
  /** Why there is no video. */
  readonly code?: unknown;
  readonly message?: unknown;
}

/** The result of a poll by the provider's status. An unknown status is no failure: the job goes on. */
export function mapPollStatus(table: StatusMap, word: unknown, facts: PollFacts): PollResult {
  const status = mapStatus(table, word);
  if (status) return toPollResult(status, facts);
  return { kind: 'pending', state: 'running', unknownStatus: String(word).slice(0, LONGEST_STATUS) };
}

/** The result of a poll. A success without an address is a failure: there will never be one. */
export function toPollResult(status: JobStatus, facts: PollFacts): PollResult {
  if (status === 'submitted' || status === 'running') {
    const progress = readProgress(facts.progress);
    return omitUndefined({ kind: 'pending', state: status, progress });
  }
  if (status !== 'succeeded') {
    const code = readText(facts.code) ?? (status === 'failed' ? 'generation_failed' : status);
    return { kind: 'ended', state: status, code, message: readText(facts.message) ?? SENTENCES[status] };
  }
  const url = readLink(facts.url);
  if (url === undefined || !URL.canParse(url)) {
    const message = 'The provider ended the job without a video.';
    return { kind: 'ended', state: 'failed', code: 'no_output', message };
  }
  const actualSeconds = readWholeSeconds(facts.seconds);
  return omitUndefined({ kind: 'succeeded', result: { url, ...facts.result }, actualSeconds });
}

const SENTENCES = {
  failed: 'The provider could not make the video.',
  expired: 'The provider gave the job up.',
  cancelled: 'The job was cancelled at the provider.',
} as const;

function readProgress(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Math.min(100, Math.max(0, Math.round(value)));
}

function readText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Providers count a clip of 5.04 seconds as the 5 that were asked for. */
function readWholeSeconds(value: unknown): number | undefined {
  const seconds = Math.round(Number(value ?? Number.NaN));
  return seconds > 0 && Number.isSafeInteger(seconds) ? seconds : undefined;
}

/** The object under a key, where there is one. */
export function readInner(json: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = json?.[key];
  return isObject(value) ? value : undefined;
}

/** The first entry of a list under a key. */
export function readFirst(json: JsonObject | undefined, key: string): unknown {
  const value = json?.[key];
  return Array.isArray(value) ? (value[0] as unknown) : undefined;
}
