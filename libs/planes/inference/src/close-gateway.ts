import { closeInOrder, type CloseStep, type Logger } from '@mg/runtime';
import type { Kit } from './kit.js';

/** For how long a gateway that stops tries to write what is left. */
const WRITE_LAST_MS = 5_000;
/** For those that have a question to billing or a channel's test under way. */
const ANSWER_MS = 2_000;

interface Closable {
  close(): unknown;
}

/** What a gateway has open behind its endpoints. */
export interface OpenParts extends Pick<Kit, 'counter' | 'journal' | 'requestLog'> {
  readonly tests: Closable;
  readonly report: Closable;
  readonly heartbeat: Closable;
  readonly video: Closable;
  readonly changes: Closable;
  readonly feed: Closable;
  readonly upstream: Closable;
  readonly wallet: Closable;
  readonly database: { destroy(): unknown };
}

/**
 * Closes everything behind the endpoints, in time whatever is away: usage is written before the database is left.
 *
 * @throws Error when usage is lost, so that the process does not end as if all were well.
 */
export async function closeGateway(parts: OpenParts, logger: Logger): Promise<void> {
  const { journal, requestLog, counter, database } = parts;
  const step = (name: string, part: Closable, withinMs?: number): CloseStep => ({
    name,
    close: () => part.close(),
    ...(withinMs !== undefined && { withinMs }),
  });
  await closeInOrder(
    [
      [
        step('channel tests', parts.tests, ANSWER_MS),
        step('report', parts.report),
        step('heartbeat', parts.heartbeat, ANSWER_MS),
        step('video tasks', parts.video),
        step('changes of configuration', parts.changes),
        step('configuration', parts.feed),
        { name: 'counting of tokens', close: () => counter.whenIdle(), withinMs: ANSWER_MS },
      ],
      [
        { name: 'usage', close: () => journal.close(WRITE_LAST_MS), withinMs: WRITE_LAST_MS },
        { name: 'request log', close: () => requestLog.close(WRITE_LAST_MS), withinMs: WRITE_LAST_MS },
      ],
      [
        step('token counter', counter),
        step('upstreams', parts.upstream),
        step('billing', parts.wallet),
        { name: 'database', close: () => database.destroy() },
      ],
    ],
    logger,
  );
  if (requestLog.pending > 0) {
    logger.warn({ rows: requestLog.pending }, 'log rows could not be written before the stop');
  }
  if (journal.pending > 0) {
    logger.error({ rows: journal.pending }, 'usage rows could not be written before the stop');
    throw new Error(
      `${journal.pending} usage rows could not be written before the stop and are not charged.`,
    );
  }
}
