import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { omitUndefined } from '@mg/contract';
import { KEYS } from '../deployment/credentials.js';

/** One request of a caller, from its first byte to its last. */
export interface Outcome {
  readonly kind: 'call' | 'stream' | 'order' | 'poll';
  /** Stands in the prompt, so that the upstream's books can be asked what became of it. */
  readonly mark: string;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly requestId: string | undefined;
  /** Status of the answer; `undefined` where there was none. */
  readonly status: number | undefined;
  /** What the caller saw go wrong, or `undefined`. */
  readonly fault: string | undefined;
}

/** A video whose id a caller got. */
export interface VideoJob {
  readonly publicId: string;
  readonly mark: string;
  /** As the latest poll showed. */
  state: string;
}

/** Models that the load asks for. */
export const LOAD_MODELS = { call: 'load-call', stream: 'load-stream', video: 'load-video' } as const;

const STREAMS_AT_ONCE = 6;
const CALLERS = 3;
const PAUSE_BETWEEN_ORDERS_MS = 400;
const PAUSE_BETWEEN_POLLS_MS = 300;
const ANSWER_WITHIN_MS = 60_000;
const ENDED = ['completed', 'failed'];

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Callers who never rest: streams of several seconds, plain calls, videos that are ordered and polled. */
export class StackLoad {
  readonly outcomes: Outcome[] = [];
  readonly videos: VideoJob[] = [];
  /** On this machine's clock, which is also the database's. */
  readonly began = new Date();
  readonly #name = randomUUID().slice(0, 8);
  #isStopping = false;
  #marks = 0;
  #loops: Promise<void>[] = [];

  constructor(
    private readonly gatewayUrl: string,
    private readonly pauseBetweenCallsMs: number,
  ) {}

  start(): void {
    const repeat = async (pauseMs: number, work: () => Promise<unknown>) => {
      while (!this.#isStopping) {
        await work();
        await sleep(pauseMs);
      }
    };
    const many = (count: number, pauseMs: number, work: () => Promise<unknown>) =>
      Array.from({ length: count }, () => repeat(pauseMs, work));
    this.#loops = [
      ...many(CALLERS, this.pauseBetweenCallsMs, () => this.#call()),
      ...many(STREAMS_AT_ONCE, 0, () => this.#stream()),
      ...many(1, PAUSE_BETWEEN_ORDERS_MS, () => this.#order()),
      ...many(1, PAUSE_BETWEEN_POLLS_MS, () => this.#pollAll()),
    ];
  }

  /** Lets everything in progress come to its end and begins nothing new. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#loops);
  }

  /** Asks for the videos that have not ended. Answers how many are left. */
  async pollRest(): Promise<number> {
    await this.#pollAll();
    return this.videos.filter(({ state }) => !ENDED.includes(state)).length;
  }

  #call(): Promise<Answer | undefined> {
    const mark = this.#nextMark('call');
    return this.#ask('call', mark, '/v1/chat/completions', writeChat(LOAD_MODELS.call, mark, false));
  }

  #stream(): Promise<Answer | undefined> {
    const mark = this.#nextMark('stream');
    return this.#ask('stream', mark, '/v1/chat/completions', writeChat(LOAD_MODELS.stream, mark, true));
  }

  /** A patient caller: the same Idempotency-Key again until the gateway has an answer. */
  async #order(): Promise<void> {
    const mark = this.#nextMark('order');
    const body = JSON.stringify({ model: LOAD_MODELS.video, prompt: `${mark}.`, duration: 5 });
    for (;;) {
      const answer = await this.#ask('order', mark, '/v1/video/generations', body, mark);
      if (answer?.status === 200) {
        const { task_id: publicId, status: state } = JSON.parse(answer.text) as Record<string, string>;
        this.videos.push({ publicId: publicId ?? '', mark, state: state ?? '' });
        return;
      }
      await sleep(PAUSE_BETWEEN_POLLS_MS);
    }
  }

  async #pollAll(): Promise<void> {
    for (const video of this.videos.filter(({ state }) => !ENDED.includes(state))) {
      const answer = await this.#ask('poll', video.mark, `/v1/video/generations/${video.publicId}`);
      if (answer?.status === 200) video.state = (JSON.parse(answer.text) as { status: string }).status;
    }
  }

  async #ask(
    kind: Outcome['kind'],
    mark: string,
    path: string,
    body?: string,
    key?: string,
  ): Promise<Answer | undefined> {
    const startedMs = Date.now();
    let response: Response | undefined;
    let text = '';
    let fault: string | undefined;
    try {
      response = await fetch(this.gatewayUrl + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: omitUndefined({
          authorization: `Bearer ${KEYS.main}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        }),
        body: body ?? null,
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      text = await response.text();
      if (!response.ok) fault = `${response.status} ${text.slice(0, 200)}`;
      else if (kind === 'stream' && !text.includes('[DONE]')) fault = `ends with ${text.slice(-200)}`;
    } catch (error) {
      fault = String(error instanceof Error ? (error.cause ?? error) : error);
    }
    const requestId = response?.headers.get('x-request-id') ?? undefined;
    const status = response?.status;
    this.outcomes.push({ kind, mark, startedMs, endedMs: Date.now(), requestId, status, fault });
    return fault === undefined && status !== undefined ? { status, text } : undefined;
  }

  /** Whether a text has the mark of one of its requests. */
  hasMarked(text: string): boolean {
    return text.includes(`-${this.#name}-`);
  }

  #nextMark(kind: string): string {
    return `${kind}-${this.#name}-${++this.#marks}`;
  }
}

function writeChat(model: string, mark: string, stream: boolean): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: `${mark}.` }], stream });
}
