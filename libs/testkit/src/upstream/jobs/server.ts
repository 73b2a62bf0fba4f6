import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json } from '../json.js';
import { JOB_DIALECTS } from './dialects/job-dialects.js';
import { findJobBehaviour, type JobBehaviour, type PollStep, type RefusalReason } from './job-behaviour.js';
import { type FakeJob, type FakeJobRequest, JobStore } from './job-store.js';
import type { JobAddresses, JobAnswer, JobArrival, JobDialect, JobFacts } from './job-dialect.js';
import { serveVideo } from './serve-video.js';

export interface FakeJobsOptions {
  /** Keys that are let in; without them everyone is. */
  readonly acceptedKeys?: readonly string[];
}

/** Providers of video jobs on the loopback address, each under a path of its own, with their own books. */
export interface FakeJobs {
  /** Address without a path. */
  readonly url: string;
  /** Every job made since the start or the last reset, oldest first. */
  readonly jobs: readonly FakeJob[];
  /** Every request, oldest first. */
  readonly requests: readonly FakeJobRequest[];
  /** The base address for a channel: `urlOf('ark')`. */
  urlOf(dialect: string): string;
  /** Sets how orders of a model go, one by one; the last behaviour stays. */
  script(model: string, ...behaviours: readonly [JobBehaviour, ...JobBehaviour[]]): void;
  /** Forgets jobs, requests and scripts. */
  reset(): void;
  /** The first job, past or to come, that the predicate accepts; five seconds are given to it by default. */
  waitForJob(predicate: (job: FakeJob) => boolean, timeoutMs?: number): Promise<FakeJob>;
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 60_000;
const WAIT_MS = 5_000;
const ORDINARY: readonly PollStep[] = ['queued', 'running', 'succeeded'];

interface FakeServer {
  readonly book: JobStore;
  readonly scripts: Map<string, JobBehaviour[]>;
  readonly pollSteps: Map<FakeJob, readonly PollStep[]>;
  readonly options: FakeJobsOptions;
  readonly url: () => string;
}

export async function startFakeJobs(options: FakeJobsOptions = {}): Promise<FakeJobs> {
  const book = new JobStore();
  const server = createServer((request, response) => void serve(request, response, fake));
  const fake: FakeServer = {
    book,
    scripts: new Map(),
    pollSteps: new Map(),
    options,
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  // After Node's five seconds a busy test would end connections on which a request is on its way.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: fake.url(),
    get jobs() {
      return book.jobs;
    },
    get requests() {
      return book.requests;
    },
    urlOf: (dialect) => `${fake.url()}/${dialect}`,
    script: (model, ...behaviours) => void fake.scripts.set(model, [...behaviours]),
    reset: () => {
      book.reset();
      fake.scripts.clear();
      fake.pollSteps.clear();
    },
    waitForJob: (predicate, timeoutMs = WAIT_MS) => book.waitForJob(predicate, timeoutMs),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** One request on its way through a dialect. */
interface Visit {
  readonly fake: FakeServer;
  readonly dialect: JobDialect;
  readonly arrival: JobArrival;
  readonly row: FakeJobRequest;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve(request: IncomingMessage, response: ServerResponse, fake: FakeServer): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://fake');
  const [, name = '', ...rest] = url.pathname.split('/');
  const rawBody = await readBody(request);
  const dialect = JOB_DIALECTS.find((known) => known.name === name);
  if (!dialect || rawBody === undefined) return void response.writeHead(404).end();
  const arrival: JobArrival = {
    method: request.method ?? '',
    path: `/${rest.join('/')}`,
    query: url.searchParams,
    headers: request.headers,
    body: await parseBody(rawBody, request.headers['content-type'] ?? ''),
  };
  const route = dialect.route(arrival);
  const row = fake.book.enterRequest({
    dialect: name,
    kind: route?.kind ?? 'unknown',
    method: arrival.method,
    path: url.pathname + url.search,
    headers: request.headers,
    rawBody,
  });
  const visit: Visit = { fake, dialect, arrival, row, request, response };
  if (!route) return answer(visit, { status: 404, body: { error: { message: 'no such route' } } });
  const key = dialect.readKey(request.headers);
  const isGuarded = route.kind !== 'content' || dialect.guardsContent === true;
  const { acceptedKeys } = fake.options;
  if (isGuarded && acceptedKeys && !acceptedKeys.includes(key)) return refuse(visit, 'wrong-key');
  if (route.kind === 'create') return order(visit, key);
  const job = fake.book.jobs.find((known) => [known.id, known.reference].includes(route.id));
  if (!job || job.dialect !== name || (isGuarded && job.key !== key)) {
    const missing = { status: 404, body: { error: { code: 'NotFound', message: 'no such job' } } };
    return answer(visit, dialect.describeMissing?.() ?? missing);
  }
  if (route.kind === 'remix') return order(visit, key, job);
  return route.kind === 'content' ? serveVideo(request, response, job) : answerJob(visit, job, route.kind);
}

/** @param source of a remix, whose model and length are those of the new job. */
async function order(visit: Visit, key: string, source?: FakeJob): Promise<void> {
  const { fake, dialect, arrival } = visit;
  const ordered = dialect.readFacts(arrival);
  const facts = source ? { ...ordered, model: source.model, seconds: source.seconds } : ordered;
  const behaviour = takeBehaviour(fake, facts);
  await behaviour.wait?.();
  const { submit } = behaviour;
  if (submit?.kind === 'refuse') return refuse(visit, submit.reason);
  if (submit && !submit.accepts) return fail(visit, submit);
  const job = fake.book.enterJob({
    id: dialect.writeId(fake.book.jobs.length + 1, facts),
    dialect: dialect.name,
    model: facts.model,
    prompt: facts.prompt,
    seconds: Number.parseInt(String(facts.seconds ?? 5), 10),
    reference: typeof facts.reference === 'string' ? facts.reference : undefined,
    body: arrival.body,
    key,
  });
  fake.pollSteps.set(job, behaviour.polls ?? ORDINARY);
  if (submit) return fail(visit, submit);
  return answer(visit, dialect.describeMade(job, locate(visit, job)));
}

function answerJob(visit: Visit, job: FakeJob, kind: 'poll' | 'result' | 'cancel'): void {
  const { fake, dialect } = visit;
  if (kind === 'cancel') {
    fake.book.change(job, { isCancelled: true });
    return answer(visit, { status: 200, body: {} });
  }
  const steps = fake.pollSteps.get(job) ?? ORDINARY;
  const step = job.isCancelled ? 'cancelled' : (steps[Math.min(job.polls, steps.length - 1)] ?? 'running');
  if (kind === 'poll') fake.book.change(job, { polls: job.polls + 1 });
  if (step === 'drop') return void visit.response.socket?.resetAndDestroy();
  if (typeof step === 'object') return answerText(visit, step.status, step.text);
  const describe = kind === 'result' ? dialect.describeResult : dialect.describePoll;
  return answer(visit, describe?.(job, step, locate(visit, job)) ?? { status: 404, body: {} });
}

function takeBehaviour({ scripts }: FakeServer, { model, prompt }: JobFacts): JobBehaviour {
  const script = scripts.get(model);
  if (!script) return findJobBehaviour(model, prompt);
  return (script.length > 1 ? script.shift() : script[0]) ?? {};
}

function locate({ fake, dialect }: Visit, job: FakeJob): JobAddresses {
  const base = `${fake.url()}/${dialect.name}`;
  return { base, video: `${base}/content/${encodeURIComponent(job.id)}` };
}

const RETRY_AFTER_SECONDS = 4;
const SENTENCES: Readonly<Record<RefusalReason, string>> = {
  'bad-parameter': 'The parameter duration specified in the request is not valid.',
  'content-policy': 'The request failed because the input text may contain sensitive information.',
  'wrong-key': 'The API key is missing or not valid.',
  'no-funds': 'The account has not enough credits.',
  'model-unknown': 'The model does not exist or you have no access to it.',
  'rate-limited': 'The request rate is above the limit.',
  overloaded: 'The service is busy. Try again later.',
};

function refuse(visit: Visit, reason: RefusalReason): void {
  const { status, body } = visit.dialect.describeRefusal(reason, SENTENCES[reason]);
  const headers: Record<string, string> = {};
  if (reason === 'rate-limited') headers['retry-after'] = String(RETRY_AFTER_SECONDS);
  answerText(visit, status, JSON.stringify(body), headers);
}

function fail(visit: Visit, failure: Exclude<JobBehaviour['submit'], undefined | { kind: 'refuse' }>): void {
  if (failure.kind === 'reply') answerText(visit, failure.status, failure.text);
  if (failure.kind === 'drop') visit.response.socket?.resetAndDestroy();
}

function answer(visit: Visit, { status, body }: JobAnswer): void {
  answerText(visit, status, JSON.stringify(body));
}

function answerText(
  { fake, row, response }: Visit,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  fake.book.change(row, { status });
  const type = text.startsWith('<') ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(text);
}

/** The exact bytes of a request, or `undefined` when the client left before it had sent them. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

/** JSON, or the fields of a form; a file stands for its name. */
async function parseBody(bytes: Buffer, contentType: string): Promise<Json> {
  if (contentType.startsWith('multipart/form-data')) {
    const form = await new Response(Uint8Array.from(bytes), {
      headers: { 'content-type': contentType },
    }).formData();
    return Object.fromEntries(
      [...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
    );
  }
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
