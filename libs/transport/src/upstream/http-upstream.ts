import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import { BufferedBody } from './buffered-body.js';
import { explainFailure } from './explain-failure.js';
import {
  type BodyReader,
  type UpstreamCall,
  UpstreamFailure,
  type UpstreamReply,
  type UpstreamRequest,
} from './upstream-call.js';

const KEEP_ALIVE_MS = 10_000;
const MAX_REQUESTS_PER_SOCKET = 1_000;

/**
 * Calls upstreams over HTTP/1.1 with one connection pool for each address. Nothing is retried here: whether another
 * try is allowed is a question of money, which the pipeline answers.
 */
export class HttpUpstream {
  readonly #pools = new Map<string, Pool>();

  call(request: UpstreamRequest): UpstreamCall {
    const exchange = new Exchange(request.timeouts.totalMs);
    try {
      this.#poolFor(request).dispatch(
        {
          method: 'POST',
          path: request.url.pathname + request.url.search,
          ...describeBody(request),
          headersTimeout: request.timeouts.firstByteMs,
          bodyTimeout: request.timeouts.idleMs,
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
      pool = new Pool(request.url.origin, {
        connect: { timeout: connectMs },
        pipelining: 1,
        allowH2: false,
        keepAliveTimeout: KEEP_ALIVE_MS,
        maxRequestsPerClient: MAX_REQUESTS_PER_SOCKET,
      });
      this.#pools.set(key, pool);
    }
    return pool;
  }
}

/** A body that is streamed has a length all the same: not every provider takes one in chunks. */
function describeBody({
  headers,
  body,
}: UpstreamRequest): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  if (Buffer.isBuffer(body)) return { headers, body };
  return {
    headers: { ...headers, 'content-length': String(body.length) },
    body: Readable.from(body.read(), { objectMode: false }),
  };
}

/** One dispatch: undici's handler on one side, a call with a reply on the other. */
class Exchange implements Dispatcher.DispatchHandler, UpstreamCall, UpstreamReply {
  readonly reply: Promise<UpstreamReply>;
  status = 0;
  headers: IncomingHttpHeaders = {};
  readonly #body = new BufferedBody();
  readonly #deadline: NodeJS.Timeout;
  #resolve: (reply: UpstreamReply) => void = () => {};
  #reject: (failure: UpstreamFailure) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #ending: UpstreamFailure | undefined;

  constructor(totalMs: number) {
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#deadline = setTimeout(() => {
      this.#end(new UpstreamFailure('timeout', `no whole answer within ${totalMs} ms`));
    }, totalMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ending) controller.abort(this.#ending);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (statusCode < 200) return;
    this.status = statusCode;
    this.headers = headers;
    this.#resolve(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#body.data(chunk);
  }

  onResponseEnd(): void {
    clearTimeout(this.#deadline);
    this.#body.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle(this.#ending ?? explainFailure(error));
  }

  read(reader: BodyReader): void {
    this.#body.attach(reader);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  abort(): void {
    this.#end(new UpstreamFailure('aborted', 'the call was ended by the gateway'));
  }

  /** Ends the exchange with a failure; what was settled before stays. */
  settle(failure: UpstreamFailure): void {
    clearTimeout(this.#deadline);
    this.#reject(failure);
    this.#body.fail(failure);
  }

  #end(failure: UpstreamFailure): void {
    if (this.#body.ended) return;
    this.#ending = failure;
    this.#controller?.abort(failure);
    this.settle(failure);
  }
}
