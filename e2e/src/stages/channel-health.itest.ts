import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { type Caller, CHOSEN_LEASES, type StageFleet, startStageFleet } from './stage-fleet.js';

const WITHIN_MS = 30_000;
const FAILURES_TO_EJECT = 5;

interface Report {
  readonly resting?: readonly { readonly model: string; readonly reason?: string; readonly key?: string }[];
}

let fleet: StageFleet;
beforeAll(async () => {
  fleet = await startStageFleet({ leases: [CHOSEN_LEASES, CHOSEN_LEASES] });
});
afterAll(() => fleet.stop());

async function addCaller(...behaviours: readonly string[]): Promise<Caller> {
  const caller = await fleet.addCaller(50, behaviours);
  for (const url of fleet.gatewayUrls) {
    await waitUntil(
      'the gateway knows the model',
      async () => {
        const listed = await fetch(`${url}/v1/models`, {
          headers: { authorization: `Bearer ${caller.key}` },
        });
        return (await listed.text()).includes(caller.model);
      },
      WITHIN_MS,
    );
  }
  return caller;
}

async function ask({ key, model }: Caller, gateway: number): Promise<Response> {
  const answer = await fetch(`${fleet.gatewayUrls[gateway]}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 50, messages: [{ role: 'user', content: 'Hello' }] }),
    signal: AbortSignal.timeout(WITHIN_MS),
  });
  await answer.arrayBuffer();
  return answer;
}

/** What a gateway reports to be left out, of a model. */
async function findResting(instance: string, { model }: Caller) {
  const [row] = await fleet.query<{ details: Report }>(
    'select details from plane_report where instance = $1',
    [instance],
  );
  return (row?.details.resting ?? []).filter((rest) => rest.model === model);
}

describe('the health of channels, over two gateways', () => {
  it('a channel that failed at one is left out by the other, which never asked it', async () => {
    const caller = await addCaller('error-500', 'gpt-4o');
    for (let call = 0; call < FAILURES_TO_EJECT; call++) {
      expect((await ask(caller, 0)).headers.get('x-gateway-attempts')).toBe('2');
    }
    expect((await ask(caller, 0)).headers.get('x-gateway-attempts')).toBe('1');
    const resting = await waitUntil(
      'the other gateway has the announcement',
      async () => {
        const found = await findResting('stage-1', caller);
        return found.length > 0 && found;
      },
      WITHIN_MS,
    );
    expect(resting).toMatchObject([{ reason: expect.stringContaining('status 500') as string }]);
    expect((await ask(caller, 1)).headers.get('x-gateway-attempts')).toBe('1');
  });

  it('a refused key is reported by its hint, with the words of the upstream', async () => {
    const caller = await addCaller('error-401', 'gpt-4o');
    expect((await ask(caller, 0)).status).toBe(200);
    const [rest] = await waitUntil(
      'the report',
      async () => {
        const found = await findResting('stage-0', caller);
        return found.length > 0 && found;
      },
      WITHIN_MS,
    );
    expect(rest).toMatchObject({ key: expect.stringMatching(/^sk-\.\.\./) as string });
    expect(rest?.reason).toContain('status 401');
  });
});
