import { Counter, Gauge, type Registry } from '@mg/runtime';

/** Metrics of sessions over WebSockets. */
export class SessionMetrics {
  readonly #messages: Counter<'from'>;
  readonly #closes: Counter<'reason'>;
  /** Sessions that are open. */
  open = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    const gauge: Gauge = new Gauge({
      name: 'gateway_realtime_sessions',
      help: 'Realtime sessions that are open.',
      registers,
      collect: () => gauge.set(this.open),
    });
    this.#messages = new Counter({
      name: 'gateway_realtime_messages_total',
      help: 'Messages of realtime sessions, by who sent them: client or upstream.',
      labelNames: ['from'],
      registers,
    });
    this.#closes = new Counter({
      name: 'gateway_realtime_closes_total',
      help: 'Realtime sessions that ended, by reason.',
      labelNames: ['reason'],
      registers,
    });
  }

  countMessage(from: 'client' | 'upstream'): void {
    this.#messages.inc({ from });
  }

  countClose(reason: string): void {
    this.#closes.inc({ reason });
  }
}
