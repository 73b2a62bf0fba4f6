import { formatUsd, omitUndefined } from '@mg/contract';
import { request } from '../../clients/gateway-client.js';
import { waitUntil } from '../../wait-until.js';
import type { OverdrawCase } from './overdraw-case.js';
import { fillWallet, FREE, FUNDS, OK, REFUSED, type Scene, UNAVAILABLE, waitForBalance } from './scene.js';
import { LAST_WORD } from './write-stream.js';

const CALLS = { short: 2, full: 300 };
const ANSWERED_WITHIN_MS = 60_000;
/** Rounds of a trick at most. */
const ROUNDS = 3;

/**
 * Fills the wallet up to one dollar and asks many times at once. On a busy machine billing may answer none of those in time whom
 * the gateway has room for: as clients do, everybody asks again then.
 *
 * @returns what is wrong with the bill.
 */
export async function runOverdrawCase(trick: OverdrawCase, scene: Scene): Promise<string[]> {
  for (let round = 1; ; round++) {
    const { statuses, faults } = await playRound(trick, scene);
    if (round === ROUNDS || statuses.includes(OK) || !statuses.includes(UNAVAILABLE)) return faults;
  }
}

async function playRound(
  trick: OverdrawCase,
  scene: Scene,
): Promise<{ readonly statuses: readonly number[]; readonly faults: string[] }> {
  const { provider, target } = scene;
  await fillWallet(scene);
  provider.expectTrick(trick);
  const count = target.full ? CALLS.full : CALLS.short;
  const ask = () => send(trick, scene);
  const statuses = trick.leaves
    ? await leaveTogether(trick, count, scene)
    : await Promise.all(Array.from({ length: count }, async () => (await readAll(await ask())).status));
  const balance = await waitForBalance(scene);
  const { calls, cost } = provider.bill;
  const answered = statuses.filter((status) => status === OK).length;
  const facts =
    `${trick.name}: ${answered} of ${count} answered (${[...new Set(statuses)].join()}), ` +
    `provider ${formatUsd(cost)}, wallet ${formatUsd(balance)}`;
  target.say(facts);
  const faults = isWithinBounds(trick, { statuses, calls, cost, balance }) ? [] : [facts];
  return { statuses, faults };
}

interface Outcome {
  readonly statuses: readonly number[];
  /** Calls that reached the provider, and what it bills for them, in nano-dollars. */
  readonly calls: number;
  readonly cost: bigint;
  readonly balance: bigint;
}

/** Everything that was billed to us was charged, and nothing was spent that was not there. */
function isWithinBounds(
  { refused, ignoresCap }: OverdrawCase,
  { statuses, calls, cost, balance }: Outcome,
): boolean {
  if (refused) return calls === 0 && statuses.every((status) => status === REFUSED);
  return (
    statuses.includes(OK) &&
    statuses.every((status) => status === OK || FREE.has(status)) &&
    (balance >= 0n || ignoresCap === true) &&
    FUNDS - balance >= cost
  );
}

function send(
  { model, path, write, headers }: OverdrawCase,
  { target, users, models }: Scene,
  signal = AbortSignal.timeout(ANSWERED_WITHIN_MS),
): Promise<Response> {
  const slug = models.slugOf(model);
  const body = write(slug);
  return fetch(target.deployment.gatewayUrl + path.replace('{model}', slug), {
    method: 'POST',
    signal,
    headers: {
      authorization: `Bearer ${users.memberKey}`,
      ...omitUndefined({ 'content-type': body instanceof FormData ? undefined : 'application/json' }),
      ...headers,
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
}

async function readAll(response: Response): Promise<Response> {
  await response.arrayBuffer();
  return response;
}

/**
 * Asks many times at once, and has everybody leave who is not refused: before their streams begin, or once their texts are there
 * and only the end is missing.
 *
 * @returns the status of each; `OK` of those who left an answer that the provider was asked for.
 */
async function leaveTogether(trick: OverdrawCase, count: number, scene: Scene): Promise<number[]> {
  const { provider, target } = scene;
  const client = new AbortController();
  const refused: number[] = [];
  let ready = 0;
  const note = async (response: Response) => {
    if (response.status === OK) {
      if (trick.leaves === 'within') await readUntilLastWord(response);
      ready++;
    } else refused.push((await readAll(response)).status);
  };
  const asking = Array.from({ length: count }, () =>
    send(trick, scene, client.signal).then(note, () => undefined),
  );
  const areReady = () => (trick.leaves === 'within' ? ready : provider.bill.calls) + refused.length === count;
  await waitUntil('the streams', areReady, ANSWERED_WITHIN_MS);
  client.abort();
  await Promise.all(asking);
  // What comes on another connection is read after the ends of these.
  await request(target.deployment, '/readyz');
  if (!trick.runsOn)
    await waitUntil('the ends of the streams', () => provider.open === 0, ANSWERED_WITHIN_MS);
  provider.goOn();
  return [...refused, ...Array.from({ length: count - refused.length }, () => OK)];
}

async function readUntilLastWord({ body }: Response): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  const reader = body?.getReader();
  while (!text.includes(LAST_WORD)) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return;
    text += decoder.decode(value, { stream: true });
  }
}
