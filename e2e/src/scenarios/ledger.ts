import { formatUsd, parseUsd } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { ConsoleClient, type EntryRow, type LogRow } from '../clients/console-client.js';
import { catchApiError, createOpenAi, HELLO, readAll } from '../clients/openai-client.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { waitUntil } from '../wait-until.js';

/** Every call is billed to the nano-dollar, visibly. One wallet is this scenario's own. */
export function describeLedger(get: () => Deployment): void {
  describe('the ledger', () => {
    it("charges each call exactly what the upstream's own meter says", async () => {
      const console = await ConsoleClient.asAdmin(get());
      const before = await console.findWallet('ledger');
      const client = createOpenAi(get(), KEYS.ledger);
      const answers = [
        await client.chat.completions.create({ model: 'plain', messages: HELLO }).withResponse(),
        await client.chat.completions.create({ model: 'cached-prompt', messages: HELLO }).withResponse(),
        await client.chat.completions.create({ model: 'hidden-reasoning', messages: HELLO }).withResponse(),
        await client.chat.completions.create({ model: 'plain', messages: HELLO, n: 4 }).withResponse(),
      ];
      const calls = get().upstream.calls.slice(-answers.length);
      const costs = calls.map((call) => formatUsd(expectedCost(call)));
      expect(answers.map(({ response }) => response.headers.get('x-gateway-cost'))).toEqual(costs);

      const ids = answers.map(({ response }) => response.headers.get('x-request-id') ?? '');
      const charges = await waitUntil('four charges', () => findCharges(console, before.id, ids));
      expect(charges.map((entry) => entry.amount)).toEqual(costs.map((cost) => `-${cost}`));

      const after = await console.findWallet('ledger');
      const total = costs.reduce((sum, cost) => sum + parseUsd(cost), 0n);
      expect(parseUsd(after.balance)).toBe(parseUsd(before.balance) - total);
      expect(after.held).toBe('0');
    });

    it('charges for a stream exactly what the stream shows', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const { id } = await console.findWallet('ledger');
      const { data: stream, response } = await createOpenAi(get(), KEYS.ledger)
        .chat.completions.create(
          { model: 'cached-prompt', messages: HELLO, stream: true },
          { headers: { 'x-gateway-cost': '1' } },
        )
        .withResponse();
      const chunks = await readAll(stream);
      const requestId = response.headers.get('x-request-id') ?? '';
      const [charge] = await waitUntil('the charge', () => findCharges(console, id, [requestId]));
      expect(chunks.at(-1)?.usage).toMatchObject({ gateway_cost: charge?.amount.replace('-', '') });
    });

    it('has entries that add up to the balance, each with the balance after it', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const wallet = await console.findWallet('ledger');
      const entries = await console.listEntries(wallet.id);
      const sum = entries.reduce((total, entry) => total + parseUsd(entry.amount), 0n);
      expect(sum).toBe(parseUsd(wallet.balance));
      expect(entries[0]?.balance_after).toBe(wallet.balance);
      expect(entries.at(-1)).toMatchObject({ amount: '1' });
    });

    it('explains the cost of a call line by line', async () => {
      const { response } = await createOpenAi(get(), KEYS.ledger)
        .chat.completions.create({ model: 'cached-prompt', messages: HELLO })
        .withResponse();
      const console = await ConsoleClient.asAdmin(get());
      const requestId = response.headers.get('x-request-id') ?? '';
      const log = await waitUntil('the log', () => console.findLog(requestId));
      expect(log).toMatchObject({
        token_name: 'ledger',
        model: 'cached-prompt',
        channel: 'fake',
        status: 200,
        stream: false,
        estimated: false,
        cost: response.headers.get('x-gateway-cost'),
        usage: { cached_input_tokens: 6, output_tokens: 24 },
      });
      expect(log.lines.map((line) => line.meter)).toEqual([
        'input_per_million',
        'cached_input_per_million',
        'output_per_million',
      ]);
      const sum = log.lines.reduce((total, line) => total + parseUsd(line.amount), 0n);
      expect(formatUsd(sum)).toBe(log.cost);
    });

    it.each(['error-500', 'error-400-context', 'reset-before-headers', 'hang-before-headers', 'error-429'])(
      'charges nothing for %s',
      async (model) => {
        const console = await ConsoleClient.asAdmin(get());
        const whenNothingIsHeld = async () => {
          const wallet = await console.findWallet('ledger');
          return wallet.held === '0' && wallet;
        };
        const before = await waitUntil('earlier calls are charged', whenNothingIsHeld);
        const client = createOpenAi(get(), KEYS.ledger);
        const error = await catchApiError(client.chat.completions.create({ model, messages: HELLO }));
        const log = await waitUntil('the log', () => console.findLog(error.requestID ?? ''));
        expect(log).toMatchObject({ cost: '0', status: error.status });
        const after = await waitUntil('the hold is released', whenNothingIsHeld);
        expect(after.balance).toBe(before.balance);
      },
    );

    it('turns its pages without losing or repeating a row', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const { id } = await console.findWallet('ledger');
      const whole = await console.listEntries(id);
      const paged = await console.list<EntryRow>(`/wallets/${id}/entries`, 2);
      expect(paged).toEqual(whole);
      const logs = await console.list<LogRow>('/logs?model=failover', 1);
      expect(logs.length).toBeGreaterThan(0);
      expect(new Set(logs.map((row) => row.request_id)).size).toBe(logs.length);
      expect(logs.every((row) => row.model === 'failover')).toBe(true);
    });

    it('tops up once for each idempotency key', async () => {
      const console = await ConsoleClient.asAdmin(get());
      const wallet = await console.findWallet('ledger');
      const order = { amount: '0.5', note: 'invoice 7', idempotency_key: 'invoice-7' };
      for (let repeat = 0; repeat < 3; repeat += 1) {
        await console.demand('POST', `/wallets/${wallet.id}/topups`, order);
      }
      const after = await console.findWallet('ledger');
      expect(parseUsd(after.balance) - parseUsd(wallet.balance)).toBe(parseUsd('0.5'));
    });
  });
}

async function findCharges(
  console: ConsoleClient,
  walletId: string,
  requestIds: readonly string[],
): Promise<EntryRow[] | undefined> {
  const entries = await console.listEntries(walletId);
  const charges = requestIds
    .map((id) => entries.find((entry) => entry.request_id === id && entry.kind === 'charge'))
    .filter((entry) => entry !== undefined);
  return charges.length === requestIds.length ? charges : undefined;
}
