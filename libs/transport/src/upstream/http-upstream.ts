import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { addHop, HOPS_HEADER } from '@mg/contract';
import type { Dispatcher, Pool } from 'undici';
import { BufferedBody } from './buffered-body.js';
import { createPool, type PoolOptions } from './create-pool.js';
import { explainFailure } from './explain-failure.js';
import {
  type BodyReader,
  type UpstreamCall,
  UpstreamFailure,
  type UpstreamReply,
  type UpstreamRequest,
  type UpstreamTimeouts,
} from './upstream-call.js';

const LOWEST_ERROR = 400;

/**
 * Calls upstreams over HTTP/1.1 with one connection pool for each address. Nothing is retried here: whether another
 * try is allowed is a question of money, which the pipeline answers.
 */
export class HttpUpstream {
  readonly #pools = new Map<string, Pool>();
  readonly #installation: string;
  readonly #options: Omit<PoolOptions, 'connectMs'>;

  /** @param installation name that every request carries, so that a call which comes back is known for a loop. */
  constructor(installation: string, options: Omit<PoolOptions, 'connectMs'> = {}) {
    this.#installation = installation;
    this.#options = options;
  }

  call(request: UpstreamRequest): UpstreamCall {
    const exchange = new Exchange(request);
    try {
      this.#poolFor(request).dispatch(
        {
          method: request.method ?? 'POST',
          path: request.url.pathname + request.url.search,
          ...describeBody(request, addHop(request.hops, this.#installation), () => exchange.noteSent()),
          // The exchange keeps its own time: undici cannot tell a stream's first event from its head.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        exchange,
      );
    } catch (error) {
      exchange.settle(explainFailure(error));
    }
    return exchange;
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #poolFor(request: UpstreamRequest): Pool {
    const { connectMs } = request.timeouts;
    const key = `${request.url.origin} ${connectMs}`;
    let pool = this.#pools.get(key);
    if (!pool) {
      pool = createPool(request.url.origin, { ...this.#options, connectMs });
      this.#pools.set(key, pool);
    }
    return pool;
  }
}

/** A body that is streamed has a length all the same: not every provider takes one in chunks. */
function describeBody(
  { headers, body, trace }: UpstreamRequest,
  hops: string,
  noteSent: () => void,
): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  const all = { ...headers, ...trace, [HOPS_HEADER]: hops };
  if (Buffer.isBuffer(body)) return { headers: all, body };
  return {
    headers: { ...all, 'content-length': String(body.length) },
    body: Readable.from(watchSending(body.read(), noteSent), { objectMode: false }),
  };
}

async function* watchSending(pieces: AsyncIterable<Buffer>, noteSent: () => void): AsyncIterable<Buffer> {
  for await (const piece of pieces) {
    noteSent();
    yield piece;
  }
}

/** One dispatch: undici's handler on one side, a call with a reply on the other. */
class Exchange implements Dispatcher.DispatchHandler, UpstreamCall, UpstreamReply {
  readonly reply: Promise<UpstreamReply>;
  status = 0;
  headers: IncomingHttpHeaders = {};
  /** Not the request itself: its body would stay in memory until the end of the answer. */
  readonly #timeouts: UpstreamTimeouts;
  readonly #streamed: boolean;
  readonly #body = new BufferedBody();
  readonly #deadline: NodeJS.Timeout;
  /** Ends a silence that is too long; a whole answer has none until it turns out to be an error. */
  #silence: NodeJS.Timeout | undefined;
  /** When bytes of the upstream came last. */
  #lastBytesMs = 0;
  #begun = false;
  #resolve: (reply: UpstreamReply) => void = () => {};
  #reject: (failure: UpstreamFailure) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #ending: UpstreamFailure | undefined;

  constructor({ timeouts, streamed }: UpstreamRequest) {
    this.#timeouts = timeouts;
    this.#streamed = streamed;
    const { totalMs } = timeouts;
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#deadline = setTimeout(() => {
      const kind = this.#begun ? 'deadline' : 'timeout';
      this.#end(new UpstreamFailure(kind, `no whole answer within ${totalMs} ms`));
    }, totalMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ending) controller.abort(this.#ending);
    else if (this.#streamed) this.#awaitFirstEvent();
  }

  /** A piece of the request has gone out: the answer is awaited from here on. */
  noteSent(): void {
    if (!this.#begun) this.#silence?.refresh();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    // A buffer for each name and value, until the end of the answer.
    controller.rawHeaders = null;
    if (statusCode < 200) return;
    this.status = statusCode;
    this.headers = headers;
    // The body of an error needs no minutes.
    if (statusCode >= LOWEST_ERROR) this.#limitSilence();
    this.#resolve(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#begun) this.#lastBytesMs = performance.now();
    this.#body.data(chunk);
  }

  onResponseEnd(): void {
    this.#clearTimers();
    this.#body.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle(this.#ending ?? explainFailure(error));
  }

  read(reader: BodyReader): void {
    this.#body.attach(reader);
  }

  markBegun(): void {
    if (this.#streamed) this.#limitSilence();
  }

  /** While the body is not read, no bytes arriving is not the upstream's fault. */
  pause(): void {
    if (this.#begun) this.#stopSilence();
    this.#controller?.pause();
  }

  resume(): void {
    if (this.#begun) this.#limitSilence();
    this.#controller?.resume();
  }

  abort(): void {
    this.#end(new UpstreamFailure('aborted', 'the call was ended by the gateway'));
  }

  /** Ends the exchange with a failure; what was settled before stays. */
  settle(failure: UpstreamFailure): void {
    this.#clearTimers();
    this.#reject(failure);
    this.#body.fail(failure);
  }

  #awaitFirstEvent(): void {
    const { firstByteMs } = this.#timeouts;
    this.#endAfter(firstByteMs, `no event of its stream came within ${firstByteMs} ms`);
  }

  #limitSilence(): void {
    if (this.#body.ended) return;
    this.#begun = true;
    this.#lastBytesMs = performance.now();
    this.#stopSilence();
    this.#watchSilence(this.#timeouts.idleMs);
  }

  /** One timer for as long as a stream flows: moving it for each chunk would cost more than asking what time it is. */
  #watchSilence(ms: number): void {
    this.#silence = setTimeout(() => {
      const { idleMs } = this.#timeouts;
      const leftMs = idleMs - (performance.now() - this.#lastBytesMs);
      if (leftMs > 0) this.#watchSilence(Math.ceil(leftMs));
      else this.#end(new UpstreamFailure('timeout', `nothing came for ${idleMs} ms`));
    }, ms);
  }

  #endAfter(ms: number, message: string): void {
    this.#stopSilence();
    this.#silence = setTimeout(() => this.#end(new UpstreamFailure('timeout', message)), ms);
  }

  #stopSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  #clearTimers(): void {
    clearTimeout(this.#deadline);
    this.#stopSilence();
  }

  #end(failure: UpstreamFailure): void {
    if (this.#body.ended) return;
    this.#ending = failure;
    this.#controller?.abort(failure);
    this.settle(failure);
  }
}
