import { describe, expect, it } from 'vitest';
import type { LogRow } from '../../clients/console-client.js';
import type { ClientFailure, Setup } from '../../clients/chat/conversation.js';
import type { Deployment } from '../../deployment/deployment.js';
import { findCall, type Pair, PAIRS, slugOf } from './pairs.js';
import { listLogs } from './wait-for-log.js';
import { waitUntil } from '../../wait-until.js';

/** Tokens that may be on their way when a connection closes. */
const IN_FLIGHT = 4;
const PIECES_READ = 6;

/** Words of a stream that breaks: the upstream's own where it had any. */
const BREAKS: Readonly<Record<string, RegExp>> = {
  'error-event-in-stream': /upstream failed in mid-stream: The server had an error while processing/,
  'end-in-stream':
    /failed in mid-stream: (its stream ended early|The upstream ended its answer before it was whole)/,
};

/** Failures and departures, as the users of each SDK meet them. */
export function describeFailures(get: () => Deployment): void {
  describe.each(PAIRS)('$title', (pair) => {
    const { client } = pair;

    it.each([false, true])(
      "passes the upstream's refusal on as a bad request, streamed: %s",
      async (stream) => {
        const failure = await fail(pair, { model: slugOf(pair, 'error-400-context') }, stream);
        expect(failure).toMatchObject({ status: 400, kind: client.kinds.badRequest });
        expect(failure.message).toContain('maximum context length is 8192 tokens');
      },
    );

    it.each([false, true])('calls a failure of the upstream one, streamed: %s', async (stream) => {
      const failure = await fail(pair, { model: slugOf(pair, 'error-500') }, stream);
      expect(failure).toMatchObject({ status: 502, kind: client.kinds.upstream });
    });

    it('calls an upstream over its limit unavailable', async () => {
      const failure = await fail(pair, { model: slugOf(pair, 'error-429') }, false);
      expect(failure.status).toBe(503);
    });

    it.each(Object.keys(BREAKS))('throws in mid-stream: %s', async (behaviour) => {
      const conversation = client.open(get(), { model: slugOf(pair, behaviour) });
      conversation.ask({ text: 'Hello there' });
      await expect(conversation.run({ stream: true })).rejects.toThrow(BREAKS[behaviour]);
    });

    it('closes the upstream when its user leaves, and charges what was produced', async () => {
      const controller = new AbortController();
      const model = slugOf(pair, 'endless');
      const before = (await listAborted(model)).length;
      const conversation = client.open(get(), { model });
      conversation.ask({ text: 'Hello there' });
      let pieces = 0;
      const onText = (): void => {
        pieces += 1;
        if (pieces === PIECES_READ) controller.abort();
      };
      const running = conversation.run({ stream: true, signal: controller.signal, onText });
      await expect(running).rejects.toThrow(/abort|ended without|missing finish_reason/i);
      const call = findCall(get(), pair, 'endless');
      await get().upstream.waitForCall((seen) => seen === call && seen.aborted);
      const log = await waitUntil('the log', async () => {
        const rows = await listAborted(model);
        return rows.length > before && rows[0];
      });
      expect(log.usage.output_tokens).toBeLessThanOrEqual(call.completionTokens);
      expect(log.usage.output_tokens).toBeGreaterThanOrEqual(call.completionTokens - IN_FLIGHT);
    });

    async function listAborted(model: string): Promise<LogRow[]> {
      const rows = await listLogs(get(), model);
      return rows.filter((row) => row.reason === 'client_aborted');
    }

    async function fail(of: Pair, setup: Setup, stream: boolean): Promise<ClientFailure> {
      const conversation = of.client.open(get(), setup);
      conversation.ask({ text: 'Hello there' });
      const outcome = await conversation.run({ stream }).then(
        (reply) => ({ reply }),
        (error: unknown) => ({ failure: of.client.readFailure(error) }),
      );
      if ('failure' in outcome) return outcome.failure;
      throw new Error(`expected a failure, got ${JSON.stringify(outcome.reply)}`);
    }
  });
}
