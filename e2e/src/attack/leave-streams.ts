import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { HELLO } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import { waitUntil } from '../wait-until.js';
import type { Attack, AttackTarget } from './attack.js';
import { forEachAtOnce } from './for-each-at-once.js';

const STREAMS = { short: 8, full: 60 };
const AT_ONCE = 8;
/** Tokens that may be on their way when the connection closes. */
const IN_FLIGHT = 4;

export const leaveStreams: Attack = {
  threats: ['T18'],
  title: 'whoever leaves a stream pays for what was produced until then',
  timeoutMs: { short: 60_000, full: 120_000 },
  async run(target) {
    const count = target.full ? STREAMS.full : STREAMS.short;
    const ids: string[] = [];
    const reads = Array.from({ length: count }, (_, index) => 1 + (index % 12));
    await forEachAtOnce(reads, AT_ONCE, async (chunks) => void ids.push(await leaveAfter(target, chunks)));
    const console = await ConsoleClient.asAdmin(target.deployment);
    for (const id of ids) {
      const log = await waitUntil('the log', () => console.findLog(id));
      expect(log.usage.input_tokens, 'a prompt that was not charged').toBeGreaterThan(0);
    }
    const logged = await Promise.all(ids.map((id) => console.findLog(id)));
    const charged = logged.reduce((sum, log) => sum + (log?.usage.output_tokens ?? 0), 0);
    const produced = target.deployment.upstream.calls
      .filter(({ model, aborted }) => model === 'endless' && aborted)
      .reduce((sum, { completionTokens }) => sum + completionTokens, 0);
    target.say(`${count} streams left: ${produced} tokens produced, ${charged} charged`);
    expect(charged).toBeGreaterThanOrEqual(produced - IN_FLIGHT * count);
  },
};

/** Reads so many pieces of an endless stream and closes the connection. Answers the request's id. */
async function leaveAfter({ deployment }: AttackTarget, pieces: number): Promise<string> {
  const controller = new AbortController();
  const response = await fetch(`${deployment.gatewayUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'endless', messages: HELLO, stream: true }),
    signal: controller.signal,
  });
  const reader = response.body?.getReader();
  for (let piece = 0; piece < pieces; piece += 1) await reader?.read();
  controller.abort();
  return response.headers.get('x-request-id') ?? '';
}
