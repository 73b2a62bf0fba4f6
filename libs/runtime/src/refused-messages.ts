import { Counter, type Registry } from './metrics.js';
import type { Logger } from './logger.js';

const LOG_EVERY_MS = 60_000;

/**
 * Counts the messages over Redis that a plane refused, and logs the first of them, then at most one line a minute: whoever
 * sends them must not fill the log.
 */
export function watchRefusedMessages(registry: Registry, logger: Logger): (reason: string) => void {
  const refused = new Counter({
    name: 'redis_messages_refused_total',
    help: 'Messages over Redis that were dropped: malformed, forged, or expired, which a wrong clock makes of good ones.',
    labelNames: ['reason'],
    registers: [registry],
  });
  let count = 0;
  let loggedAtMs = -LOG_EVERY_MS;
  return (reason) => {
    refused.inc({ reason });
    count += 1;
    if (performance.now() - loggedAtMs < LOG_EVERY_MS) return;
    logger.warn(
      { reason, count },
      'messages over Redis are dropped: somebody else writes to our channels, a plane runs with an earlier version or secret, or clocks differ',
    );
    loggedAtMs = performance.now();
    count = 0;
  };
}
