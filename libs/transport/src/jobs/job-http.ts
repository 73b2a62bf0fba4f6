import { addHop, HOPS_HEADER, joinInSlices, omitUndefined } from '@mg/contract';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  ANSWER_SHAPE,
  type JsonObject,
  JsonShape,
  parseAnswerInSlices,
  parseObject,
  stringifyInSlices,
} from '@mg/protocols';
import { type Agent, type Dispatcher, request } from 'undici';
import { createAgent } from '../create-agent.js';
import { lookUpPublic } from '../public-web/fetch-public.js';
import { isPublicAddress } from '../public-web/is-public-address.js';
import { explainFailure } from '../upstream/explain-failure.js';
import { UpstreamFailure, type UpstreamTimeouts } from '../upstream/upstream-call.js';

/** A request to a provider's job API, authorised and complete. */
export interface JobHttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or bytes. */
  readonly body?: JsonObject | Buffer;
}

/** What a provider is sent of the way that a request took. */
export interface PassedOn {
  /** Gateways that the caller's request came through. */
  readonly hops?: string | undefined;
  /** Of the W3C's Trace Context: the request in its trace, where it has one. */
  readonly traceparent?: string | undefined;
}

/** Its answer, whole. */
export interface JobHttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as JSON, where it is an object. */
  readonly json: JsonObject | undefined;
  /** The body's beginning, for messages. */
  readonly text: string;
}

/** A result on its way: the body is to be read to its end or destroyed. */
export interface OpenedFile {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** An answer up to this size is read in one step. */
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_REDIRECTS = 3;
const MAX_REDIRECT_BYTES = 16 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** System calls that fail before anything was sent. */
const BEFORE_SENDING = new Set(['connect', 'getaddrinfo']);

/**
 * Asks providers' job APIs and fetches results. Each request has a connection of its own: on one that was kept, nobody
 * could know whether a submit that broke off had arrived.
 */
export class JobHttp {
  readonly #agents = new Map<string, Agent>();
  readonly #installation: string;

  /** @param installation name that every request carries, so that one which comes back is known for a loop. */
  constructor(installation: string) {
    this.#installation = installation;
  }

  /**
   * Asks once and reads the whole answer, within the total time alone: its head comes when the provider is done.
   *
   * @throws UpstreamFailure of kind `unreachable` only when nothing was sent, for certain.
   */
  async send(jobRequest: JobHttpRequest & PassedOn, timeouts: UpstreamTimeouts): Promise<JobHttpResponse> {
    const { traceparent, hops } = jobRequest;
    const headers = {
      ...jobRequest.headers,
      ...omitUndefined({ traceparent }),
      [HOPS_HEADER]: addHop(hops, this.#installation),
    };
    try {
      const body = await writeBody(jobRequest.body);
      const reply = await request(jobRequest.url, {
        ...describe({ ...jobRequest, headers }),
        body,
        signal: AbortSignal.timeout(timeouts.totalMs),
        headersTimeout: 0,
        bodyTimeout: 0,
        dispatcher: this.#agentFor(timeouts, false),
      });
      const answer = await readAnswer(reply);
      return { status: reply.statusCode, headers: reply.headers, ...answer };
    } catch (error) {
      throw explainJobFailure(error);
    }
  }

  /**
   * Opens a file for reading, behind redirects too; what authorises the request stays with its own server.
   *
   * @param onlyPublic for addresses from an upstream's answer: only public ones are called.
   * @throws UpstreamFailure
   */
  async open(
    jobRequest: JobHttpRequest,
    timeouts: UpstreamTimeouts,
    onlyPublic: boolean,
  ): Promise<OpenedFile> {
    const dispatcher = this.#agentFor(timeouts, onlyPublic);
    let { url } = jobRequest;
    let { headers } = jobRequest;
    try {
      for (let hops = 0; ; hops++) {
        if (onlyPublic) refusePrivate(url);
        const reply = await request(url, {
          ...describe({ ...jobRequest, headers }),
          headersTimeout: timeouts.firstByteMs,
          bodyTimeout: timeouts.idleMs,
          dispatcher,
        });
        const { location } = reply.headers;
        if (!REDIRECTS.has(reply.statusCode) || typeof location !== 'string') {
          // A body may break off before its reader has begun.
          reply.body.on('error', () => undefined);
          return { status: reply.statusCode, headers: reply.headers, body: reply.body };
        }
        await reply.body.dump({ limit: MAX_REDIRECT_BYTES });
        if (hops === MAX_REDIRECTS) throw new UpstreamFailure('broken', 'the result is redirected too often');
        const next = new URL(location, url);
        if (next.origin !== url.origin) headers = pickRange(headers);
        url = next;
      }
    } catch (error) {
      throw explainJobFailure(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  #agentFor({ connectMs }: UpstreamTimeouts, onlyPublic: boolean): Agent {
    const key = `${connectMs} ${onlyPublic}`;
    let agent = this.#agents.get(key);
    if (!agent) {
      agent = createAgent({
        connect: omitUndefined({ timeout: connectMs, lookup: onlyPublic ? lookUpPublic : undefined }),
        pipelining: 0,
      });
      this.#agents.set(key, agent);
    }
    return agent;
  }
}

function describe({ method, headers }: JobHttpRequest) {
  return {
    method,
    headers: { 'user-agent': 'model-gateway', 'accept-encoding': 'identity', ...headers },
  };
}

/** Pictures make megabytes of it. */
async function writeBody(body: JobHttpRequest['body']): Promise<Buffer | null> {
  if (body === undefined || Buffer.isBuffer(body)) return body ?? null;
  return stringifyInSlices(body, setImmediate);
}

/** The body as JSON, read in steps where it is long, and its beginning as text. */
async function readAnswer({
  body,
}: Dispatcher.ResponseData): Promise<Pick<JobHttpResponse, 'json' | 'text'>> {
  const chunks: Buffer[] = [];
  const shape = new JsonShape(ANSWER_SHAPE);
  let length = 0;
  let isHonest = true;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > MAX_ANSWER_BYTES) {
      throw new UpstreamFailure('broken', `its answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    isHonest &&= shape.push(bytes);
    chunks.push(bytes);
  }
  const whole = await joinInSlices(chunks, setImmediate);
  const text = whole.toString('utf8', 0, MAX_TEXT_BYTES);
  if (length <= MAX_TEXT_BYTES) return { json: parseObject(text), text };
  return { json: isHonest ? await parseAnswerInSlices(whole, shape.end(), setImmediate) : undefined, text };
}

function pickRange(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(range|if-range|accept)$/i.test(name)),
  );
}

function refusePrivate(url: URL): void {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (isWeb && (isIP(host) === 0 || isPublicAddress(host))) return;
  throw new UpstreamFailure('unreachable', 'the result stands at no public address');
}

/** Some errors of a socket come before and after something was sent: their system call shows which. */
function explainJobFailure(error: unknown): UpstreamFailure {
  const failure = explainFailure(error);
  const syscall = readSyscall(error);
  const isSure = syscall === undefined || BEFORE_SENDING.has(syscall);
  return failure.kind === 'unreachable' && !isSure ? new UpstreamFailure('broken', failure.message) : failure;
}

function readSyscall(error: unknown): string | undefined {
  if (error instanceof AggregateError) return readSyscall(error.errors[0]);
  if (typeof error !== 'object' || error === null || !('syscall' in error)) return undefined;
  return typeof error.syscall === 'string' ? error.syscall : undefined;
}
