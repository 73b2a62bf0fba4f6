import { expect, it } from 'vitest';
import type { LogRow } from '../../clients/console-client.js';
import type { ClientFailure } from '../../clients/chat/conversation.js';
import type { Deployment } from '../../deployment/deployment.js';
import { slugOver } from '../../deployment/wires.js';
import { waitUntil } from '../../wait-until.js';
import { listLogs } from '../wait-for-log.js';
import { type Cell, findCall, openConversation } from './cells.js';

const PIECES_READ = 6;

/** What the upstream answers with, and what becomes of it: a credential or a limit of ours is no business of the caller. */
const FAILURES = [
  { behaviour: 'error-400-context', status: 400, as: 'badRequest', says: /maximum context length is 8192/ },
  { behaviour: 'error-401', status: 502, as: 'upstream', says: /^(?!.*sk-fake)/ },
  { behaviour: 'error-429', status: 503, as: 'unavailable', says: /over its rate limit/ },
  { behaviour: 'error-500', status: 502, as: 'upstream', says: /upstream answered with status 500/ },
] as const;

/** Words of a stream that breaks: the upstream's own where it had any. */
const BREAKS: Readonly<Record<string, RegExp>> = {
  'error-event-in-stream': /upstream failed in mid-stream: .*The server had an error while processing/,
  'end-in-stream':
    /failed in mid-stream: (its stream ended early|The upstream ended its answer before it was whole)/,
};

/** Failures and departures, as the users of each SDK meet them. */
export function describeFailures(get: () => Deployment, cell: Cell): void {
  const { client, row } = cell;

  it.each(FAILURES)('throws its own error for $behaviour', async ({ behaviour, status, as, says }) => {
    for (const stream of [false, true]) {
      const failure = await fail(behaviour, stream);
      expect(failure).toMatchObject({ status, type: client.errorTypes[as], kind: client.kinds[as] });
      expect(failure.message).toMatch(says);
    }
  });

  it.each(Object.keys(BREAKS))('throws in mid-stream: %s', async (behaviour) => {
    const conversation = openConversation(get(), cell, behaviour);
    conversation.ask({ text: 'Hello there' });
    await expect(conversation.run({ stream: true })).rejects.toThrow(BREAKS[behaviour]);
  });

  it('closes the upstream when its user leaves, and charges what was produced', async () => {
    const controller = new AbortController();
    const before = (await listAborted()).length;
    const conversation = openConversation(get(), cell, 'endless');
    conversation.ask({ text: 'Hello there' });
    let pieces = 0;
    const onText = (): void => {
      pieces += 1;
      if (pieces === PIECES_READ) controller.abort();
    };
    const running = conversation.run({ stream: true, signal: controller.signal, onText });
    await expect(running).rejects.toThrow(/abort|ended without|missing finish_reason/i);
    const call = findCall(get(), cell, 'endless');
    await get().upstream.waitForCall((seen) => seen === call && seen.aborted);
    const log = await waitUntil('the log', async () => {
      const rows = await listAborted();
      return rows.length > before && rows[0];
    });
    expect(log.usage.output_tokens).toBeLessThanOrEqual(call.completionTokens);
    // A piece is a token. How many more are on their way depends on how long the gateway waits for the processor.
    expect(log.usage.output_tokens).toBeGreaterThanOrEqual(pieces);
  });

  async function listAborted(): Promise<LogRow[]> {
    const rows = await listLogs(get(), slugOver(row, 'endless'));
    return rows.filter((logged) => logged.reason === 'client_aborted');
  }

  async function fail(behaviour: string, stream: boolean): Promise<ClientFailure> {
    const conversation = openConversation(get(), cell, behaviour);
    conversation.ask({ text: 'Hello there' });
    const outcome = await conversation.run({ stream }).then(
      (reply) => ({ reply }),
      (error: unknown) => ({ failure: client.readFailure(error) }),
    );
    if ('failure' in outcome) return outcome.failure;
    throw new Error(`expected a failure, got ${JSON.stringify(outcome.reply)}`);
  }
}
