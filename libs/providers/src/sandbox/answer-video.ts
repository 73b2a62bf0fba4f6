import { randomBytes } from 'node:crypto';
import { isObject, type JsonObject, parseObject } from '@mg/protocols';
import type { JobRequest, LocalJobReply } from '../job-surface.js';
import { LONGEST_SECONDS, writeSampleVideo } from './sample-video.js';

/** How long a simulated job waits, and how long it takes in all. */
const QUEUED_MS = 500;
const MADE_AFTER_MS = 2_500;
const SLOWLY_MADE_AFTER_MS = 60_000;
const DEFAULT_SECONDS = 5;

/** What a job comes to. Everything about it stands in its id, so that it goes on after a restart. */
type Outcome = 'made' | 'slow' | 'fail' | 'expire';

const OUTCOMES: ReadonlySet<string> = new Set<Outcome>(['made', 'slow', 'fail', 'expire']);
const ID = /^sim-([0-9a-z]{8,9})-(\d{1,2})-([a-z]+)-[0-9a-f]{8}$/;

/** Refusals that a prompt can ask for, with the status and the code that video APIs have for them. */
const REFUSALS: ReadonlyMap<string, readonly [status: number, code: string, message: string]> = new Map([
  ['refuse', [400, 'InputTextSensitiveContentDetected', 'Simulated: the prompt was refused.']],
  ['limit', [429, 'RateLimitExceeded', 'Simulated: too many requests.']],
]);

/** What a proxy in front of a video API answers when the API is gone: it does not say whether there is a job. */
const PROXY_PAGE: LocalJobReply = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  bytes: Buffer.from('<html><body>Simulated: 502 Bad Gateway</body></html>'),
};

/**
 * Simulates a video API in this process. A prompt tries what can go wrong: `[refuse]`, `[limit]` and `[break]` at the
 * order, `[fail]`, `[expire]` and `[slow]` after it.
 */
export async function answerVideo({ method, url, body }: JobRequest): Promise<LocalJobReply> {
  const [id = '', part] = url.pathname.split('/videos/')[1]?.split('/') ?? [];
  if (method === 'POST' && id === '') return order(readBody(body));
  const job = readId(id);
  if (!job) return reply(404, describeError('ResourceNotFound', 'Simulated: there is no such job.'));
  if (part !== 'content') return reply(200, describeJob(id, job, Date.now()));
  const bytes = writeSampleVideo(job.seconds);
  const headers = { 'content-type': 'video/mp4', 'content-length': String(bytes.length) };
  return { status: 200, headers, bytes };
}

function readBody(body: JobRequest['body']): JsonObject {
  return Buffer.isBuffer(body) ? (parseObject(body.toString()) ?? {}) : (body ?? {});
}

function order(body: JsonObject): LocalJobReply {
  const asked = /\[(refuse|limit|break|slow|fail|expire)\]/.exec(readPrompt(body))?.[1] ?? 'made';
  const refusal = REFUSALS.get(asked);
  if (refusal) return reply(refusal[0], describeError(refusal[1], refusal[2]));
  if (asked === 'break') return PROXY_PAGE;
  const seconds = body.duration ?? DEFAULT_SECONDS;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_SECONDS) {
    const message = `duration must be 1 to ${LONGEST_SECONDS} whole seconds`;
    return reply(400, describeError('InvalidParameter', message, 'duration'));
  }
  const started = Date.now().toString(36);
  return reply(200, { id: `sim-${started}-${seconds}-${asked}-${randomBytes(4).toString('hex')}` });
}

function readPrompt({ content }: JsonObject): string {
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [];
  return parts.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join(' ');
}

interface SimulatedJob {
  readonly startedMs: number;
  readonly seconds: number;
  readonly outcome: Outcome;
}

function readId(id: string): SimulatedJob | undefined {
  const [, started = '', seconds = '', outcome = ''] = ID.exec(id) ?? [];
  const isKnown = OUTCOMES.has(outcome) && Number(seconds) >= 1 && Number(seconds) <= LONGEST_SECONDS;
  if (!isKnown) return undefined;
  return { startedMs: Number.parseInt(started, 36), seconds: Number(seconds), outcome: outcome as Outcome };
}

function describeJob(id: string, { startedMs, seconds, outcome }: SimulatedJob, nowMs: number): JsonObject {
  const wholeMs = outcome === 'slow' ? SLOWLY_MADE_AFTER_MS : MADE_AFTER_MS;
  const age = nowMs - startedMs;
  const base = {
    id,
    simulated: true,
    created_at: Math.floor(startedMs / 1_000),
    updated_at: Math.floor(Math.min(nowMs, startedMs + wholeMs) / 1_000),
    duration: seconds,
    progress: Math.max(0, Math.min(100, Math.floor((age / wholeMs) * 100))),
  };
  if (age < QUEUED_MS) return { ...base, status: 'queued' };
  if (age < wholeMs) return { ...base, status: 'running' };
  if (outcome === 'expire') return { ...base, status: 'expired' };
  if (outcome === 'fail') {
    const message = 'Simulated: the video was held back by a filter of its content.';
    return { ...base, status: 'failed', ...describeError('OutputVideoSensitiveContentDetected', message) };
  }
  return { ...base, status: 'succeeded' };
}

function describeError(code: string, message: string, param = ''): JsonObject {
  return { error: { code, message, param } };
}

function reply(status: number, body: JsonObject): LocalJobReply {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status, headers: { 'content-type': 'application/json' }, bytes };
}
