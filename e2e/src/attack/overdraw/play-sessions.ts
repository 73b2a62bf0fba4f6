import { formatUsd } from '@mg/contract';
import { waitUntil } from '../../wait-until.js';
import { TALK_UPSTREAM } from './models.js';
import { costOfTokens, REALTIME_PRICE } from './prices.js';
import { fillWallet, FUNDS, type Scene, waitForBalance } from './scene.js';

const SESSIONS = { short: 6, full: 100 };
/** Responses that each session asks for, one after another. */
const RESPONSES = 3;
const ENDED_WITHIN_MS = 60_000;
/** Code of a session that is ended since its caller cannot pay. */
const POLICY = 1_008;

/**
 * Many sessions at once on one dollar. Some of their callers leave as soon as they have asked for a response.
 *
 * @returns what is wrong with the bill.
 */
export async function playSessions(scene: Scene): Promise<string[]> {
  const { target } = scene;
  await fillWallet(scene);
  const before = listBilled(scene).length;
  const count = target.full ? SESSIONS.full : SESSIONS.short;
  const ends = await Promise.all(
    Array.from({ length: count }, (_, index) => talk(scene, index % 2 === 0 ? 'leaves' : 'stays')),
  );
  const balance = await waitForBalance(scene);
  const billed = listBilled(scene).slice(before);
  const cost = billed.reduce(
    (sum, { audioIn, audioOut }) =>
      sum +
      costOfTokens(audioIn, REALTIME_PRICE.audio_input_per_million) +
      costOfTokens(audioOut, REALTIME_PRICE.audio_output_per_million),
    0n,
  );
  const facts =
    `sessions: ${billed.length} responses in ${count} (${[...new Set(ends)].join()}), ` +
    `provider ${formatUsd(cost)}, wallet ${formatUsd(balance)}`;
  target.say(facts);
  const isRight = billed.length > 0 && balance >= 0n && FUNDS - balance >= cost;
  return isRight && ends.every((end) => end !== 'failed') ? [] : [facts];
}

function listBilled({ target }: Scene) {
  const { sessions } = target.deployment.upstream;
  return sessions.filter(({ model }) => model === TALK_UPSTREAM).flatMap(({ billed }) => billed);
}

type End = 'left' | 'talked' | 'unpaid' | 'failed';

/** One session; one that is refused before it begins says nothing. @returns how it ended. */
async function talk({ target, users, models }: Scene, manner: 'leaves' | 'stays'): Promise<End> {
  const url = `${target.deployment.gatewayUrl.replace('http', 'ws')}/v1/realtime?model=${models.slugOf('talk')}`;
  const socket = new WebSocket(url, ['realtime', `openai-insecure-api-key.${users.memberKey}`]);
  const said: string[] = [];
  let closed: number | undefined;
  socket.addEventListener('message', ({ data }) => {
    said.push((JSON.parse(String(data)) as { type: string }).type);
  });
  socket.addEventListener('close', ({ code }) => (closed = code));
  const opened = () => socket.readyState === WebSocket.OPEN || closed !== undefined;
  await waitUntil('a session', opened, ENDED_WITHIN_MS);
  const count = (type: string) => said.filter((one) => one === type).length;
  for (let asked = 1; asked <= RESPONSES; asked++) {
    if (closed !== undefined) break;
    socket.send(JSON.stringify({ type: 'response.create' }));
    if (manner === 'leaves') {
      socket.close();
      return 'left';
    }
    const answered = () => count('response.done') === asked || closed !== undefined;
    await waitUntil('a response', answered, ENDED_WITHIN_MS);
  }
  if (closed !== undefined) return closed === POLICY || said.length === 0 ? 'unpaid' : 'failed';
  socket.close();
  return 'talked';
}
