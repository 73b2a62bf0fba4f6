import { formatUsd } from '@mg/contract';
import { request } from '../../clients/gateway-client.js';
import { waitUntil } from '../../wait-until.js';
import type { ModelName } from './overdraw-case.js';
import { fillWallet, FUNDS, type Scene, waitForBalance } from './scene.js';

/** Lines of each batch; the wallet covers two of the smallest. */
const LINES = { short: 2, full: 60 };
const ENDED_WITHIN_MS = 300_000;
/** Tokens of a prompt whose text is short. */
const SHORT = 20;
const ANSWERS = 128;
const TOKENS_OF_ANSWER = 1_000;
const HI = [{ role: 'user', content: 'hi' }];

/** A batch by one of the APIs, whose lines its model's channel is asked for one by one, or has its provider carry out. */
interface BatchTrick {
  readonly api: 'openai' | 'anthropic';
  readonly model: ModelName;
}

/** Each API with a channel of its own protocol and of the other one, with and without batches of the provider's. */
const TRICKS: readonly BatchTrick[] = (['openai', 'anthropic'] as const).flatMap((api) =>
  (['openai', 'anthropic', 'native', 'native-claude'] as const).map((model) => ({ api, model })),
);

/**
 * Batches of every kind at once, of which the wallet covers a few lines.
 *
 * @returns what is wrong with the bill.
 */
export async function playBatches(scene: Scene): Promise<string[]> {
  const { target, provider } = scene;
  await fillWallet(scene);
  provider.expectTrick({
    name: 'batches',
    model: 'openai',
    path: '',
    write: () => ({}),
    promptTokens: SHORT,
  });
  const count = target.full ? LINES.full : LINES.short;
  const ids = await Promise.all(TRICKS.map((trick) => order(trick, count, scene)));
  await Promise.all(ids.map((path) => waitForEnd(path, scene)));
  const balance = await waitForBalance(scene);
  const { calls, cost } = provider.bill;
  const lines = TRICKS.length * count;
  const facts =
    `batches: ${calls} of ${lines} lines carried out, ` +
    `provider ${formatUsd(cost)}, wallet ${formatUsd(balance)}`;
  target.say(facts);
  const isRight = calls > 0 && calls < lines && balance >= 0n && FUNDS - balance >= cost;
  return isRight ? [] : [facts];
}

/** @returns the path at which the batch is asked for. */
async function order({ api, model }: BatchTrick, count: number, scene: Scene): Promise<string> {
  const slug = scene.models.slugOf(model);
  const numbers = Array.from({ length: count }, (_, index) => `line-${index}`);
  if (api === 'anthropic') {
    const params = { model: slug, messages: HI, max_tokens: ANSWERS * TOKENS_OF_ANSWER };
    const requests = numbers.map((custom_id) => ({ custom_id, params }));
    const { id } = await post<{ id: string }>('/v1/messages/batches', JSON.stringify({ requests }), scene);
    return `/v1/messages/batches/${id}`;
  }
  // Claude gives one answer to a call.
  const asked = model.includes('openai') || model === 'native' ? ANSWERS : 1;
  const body = {
    model: slug,
    messages: HI,
    n: asked,
    max_completion_tokens: (ANSWERS * TOKENS_OF_ANSWER) / asked,
  };
  const endpoint = '/v1/chat/completions';
  const lines = numbers.map((custom_id) =>
    JSON.stringify({ custom_id, method: 'POST', url: endpoint, body }),
  );
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new Blob([lines.join('\n')], { type: 'application/jsonl' }), 'lines.jsonl');
  const file = await post<{ id: string }>('/v1/files', form, scene);
  const wish = { input_file_id: file.id, endpoint, completion_window: '24h' };
  const { id } = await post<{ id: string }>('/v1/batches', JSON.stringify(wish), scene);
  return `/v1/batches/${id}`;
}

/** @throws Error with the answer that is none. */
async function post<Answer>(path: string, body: string | FormData, scene: Scene): Promise<Answer> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const headers = { authorization: `Bearer ${scene.users.memberKey}`, ...type };
  const { status, text } = await request(scene.target.deployment, path, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return JSON.parse(text) as Answer;
}

function waitForEnd(path: string, { target, users }: Scene): Promise<boolean> {
  const headers = { authorization: `Bearer ${users.memberKey}` };
  const hasEnded = async () => {
    const { text } = await request(target.deployment, path, { headers });
    const batch = JSON.parse(text) as { status?: string; processing_status?: string };
    return batch.status === 'completed' || batch.processing_status === 'ended';
  };
  return waitUntil(`the end of ${path}`, hasEnded, ENDED_WITHIN_MS);
}
