import { once } from 'node:events';
import type { Profiler } from 'node:inspector';

/** Microseconds between two looks at the stack. */
const SAMPLE_EVERY_US = 250;

/** Takes profiles of another process through its inspector. */
export class CpuProfiler {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #questions = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(String(data)));
  }

  /** @param url as the process prints it when it is started with `--inspect`. */
  static async connect(url: string): Promise<CpuProfiler> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    const profiler = new CpuProfiler(socket);
    await profiler.#ask('Profiler.enable');
    await profiler.#ask('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
    return profiler;
  }

  async start(): Promise<void> {
    await this.#ask('Profiler.start');
  }

  async stop(): Promise<Profiler.Profile> {
    const { profile } = (await this.#ask('Profiler.stop')) as { profile: Profiler.Profile };
    return profile;
  }

  close(): void {
    this.#socket.close();
  }

  #ask(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const id = ++this.#questions;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return waiting.promise;
  }

  #take(text: string): void {
    const { id, result } = JSON.parse(text) as { id?: number; result?: unknown };
    if (id === undefined) return;
    this.#waiting.get(id)?.resolve(result);
    this.#waiting.delete(id);
  }
}
