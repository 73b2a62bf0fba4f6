import { expect } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack, AttackTarget } from './attack.js';
import { forEachAtOnce } from './for-each-at-once.js';
import { watchHealth } from './watch-health.js';

/** What is kept of one call has 4 MB of input at most, a conversation 6 MB with the answers, as stored. */
const TURN_BYTES = 1_400_000;
const SHORT_TEXTS = 3_900;
const CALLS = { short: 4, full: 40 };
const AT_ONCE = 8;
const OK = 200;
/** Refused for what a key may ask for at once, or for the memory it needs. */
const REFUSED = [429, 503];

const part = (text: string) => `{"type":"input_text","text":"${text}"}`;
const message = (content: string) => `[{"role":"user","content":[${content}]}]`;

/** The input of one call, by what it is made of, and how many such turns one request can go on from. */
const INPUTS: Readonly<Record<string, { readonly input: string; readonly turns: number }>> = {
  'one text': { input: message(part('a'.repeat(TURN_BYTES))), turns: 3 },
  // A turn may hold 4,000 items.
  'short texts': {
    input: message(Array.from({ length: SHORT_TEXTS }, () => part('a'.repeat(200))).join()),
    turns: 1,
  },
};

export const holdEventLoopByRecall: Attack = {
  threats: ['T25'],
  title: 'no conversation that is put together from kept responses holds the event loop',
  timeoutMs: { short: 120_000, full: 600_000 },
  run: (target) =>
    watchHealth(target, async (runStep) => {
      const size = target.full ? 'full' : 'short';
      for (const [name, { input, turns: most }] of Object.entries(INPUTS)) {
        const turns = target.full ? most : 1;
        let previous: string | undefined;
        for (let turn = 0; turn < turns; turn += 1) previous = await keepTurn(input, previous, target);
        const calls = Array.from({ length: CALLS[size] }, () => `{"previous_response_id":"${previous}"`);
        await runStep(`a conversation of ${turns} turns: ${name}`, () =>
          forEachAtOnce(calls, AT_ONCE, async (call) => {
            const { status, text } = await respond(
              `${call},"model":"plain","input":"Go on","store":false}`,
              target,
            );
            expect([OK, ...REFUSED], `a conversation of ${name}: ${text.slice(0, 300)}`).toContain(status);
          }),
        );
      }
    }),
};

/** @returns the id under which the call was kept. */
async function keepTurn(input: string, previous: string | undefined, target: AttackTarget): Promise<string> {
  const reference = previous === undefined ? '' : `"previous_response_id":"${previous}",`;
  const { status, text } = await respond(`{${reference}"model":"plain","input":${input}}`, target);
  expect(status, `the turn of a conversation: ${text.slice(0, 300)}`).toBe(OK);
  return (JSON.parse(text) as { id: string }).id;
}

function respond(body: string, { deployment }: AttackTarget) {
  return request(deployment, '/v1/responses', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body,
  });
}
