import { expect } from 'vitest';
import { request } from '../clients/gateway-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Attack, AttackTarget } from './attack.js';
import { forEachAtOnce } from './for-each-at-once.js';
import { watchHealth } from './watch-health.js';

/** What is kept of one call has 1 MB at most, a conversation 4 MB. */
const TURN_BYTES = 950_000;
const TURNS = { short: 1, full: 4 };
const CALLS = { short: 4, full: 40 };
const AT_ONCE = 8;
const OK = 200;
/** Refused for what a key may ask for at once, or for the memory it needs. */
const REFUSED = [429, 503];

const part = (text: string) => `{"type":"input_text","text":"${text}"}`;
const message = (content: string) => `[{"role":"user","content":[${content}]}]`;

/** The input of one call, by what it is made of. */
const INPUTS: Readonly<Record<string, string>> = {
  'one text': message(part('a'.repeat(TURN_BYTES))),
  'short texts': message(Array.from({ length: TURN_BYTES / 40 }, () => part('a')).join()),
};

export const holdEventLoopByRecall: Attack = {
  threats: ['T25'],
  title: 'no conversation that is put together from kept responses holds the event loop',
  timeoutMs: { short: 120_000, full: 600_000 },
  run: (target) =>
    watchHealth(target, async (note) => {
      const size = target.full ? 'full' : 'short';
      for (const [name, input] of Object.entries(INPUTS)) {
        let previous: string | undefined;
        for (let turn = 0; turn < TURNS[size]; turn += 1) previous = await keepTurn(input, previous, target);
        const calls = Array.from({ length: CALLS[size] }, () => `{"previous_response_id":"${previous}"`);
        await forEachAtOnce(calls, AT_ONCE, async (call) => {
          const { status } = await respond(`${call},"model":"plain","input":"Go on","store":false}`, target);
          expect([OK, ...REFUSED], `a conversation of ${name}`).toContain(status);
        });
        await note(`${TURNS[size]} MB of conversation: ${name}`);
      }
    }),
};

/** @returns the id under which the call was kept. */
async function keepTurn(input: string, previous: string | undefined, target: AttackTarget): Promise<string> {
  const reference = previous === undefined ? '' : `"previous_response_id":"${previous}",`;
  const { status, text } = await respond(`{${reference}"model":"plain","input":${input}}`, target);
  expect(status, 'the turn of a conversation').toBe(OK);
  return (JSON.parse(text) as { id: string }).id;
}

function respond(body: string, { deployment }: AttackTarget) {
  return request(deployment, '/v1/responses', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
    body,
  });
}
