import { ADMIN, KEYS } from '../deployment/credentials.js';
import { type Question, QUESTIONS } from './expected-views.js';
import { type OutageFleet, type Plane, PLANES } from './outage-fleet.js';

const ANSWER_WITHIN_MS = 20_000;

/** What somebody sees of the planes at a moment: statuses, and the code of an error or the reason beside them. */
export interface View {
  /** Answers of `/healthz`. */
  readonly alive: Readonly<Record<Plane, string>>;
  /** Answers of `/readyz`. */
  readonly ready: Readonly<Record<Plane, string>>;
  readonly answers: Readonly<Record<Question, string>>;
}

interface ErrorBody {
  readonly detail?: string | { readonly code?: string };
}

async function ask(url: string, init: RequestInit = {}): Promise<string> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const text = await response.text();
    if (response.ok) return String(response.status);
    const { detail } = JSON.parse(text) as ErrorBody;
    return `${response.status} ${typeof detail === 'string' ? detail : detail?.code}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'no answer' : 'refused';
  }
}

function post(body: object, credential: string, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** What an operator had open before anything went wrong. */
export interface Session {
  readonly token: string;
  readonly walletId: string;
  /** A task of `film` that was made before. */
  readonly taskId: string;
}

export async function openSession({ gatewayUrl, consoleUrl }: OutageFleet): Promise<Session> {
  const read = async <Body>(url: string, init: RequestInit) =>
    (await (await fetch(url, init)).json()) as Body;
  const { access_token: token } = await read<{ access_token: string }>(
    `${consoleUrl}/api/v1/auth/login`,
    post(ADMIN, ''),
  );
  const wallets = await read<{ data: { id: string; name: string }[] }>(`${consoleUrl}/api/v1/wallets`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { task_id: taskId } = await read<{ task_id: string }>(
    `${gatewayUrl}/v1/video/generations`,
    post({ model: 'film', prompt: 'before', duration: 5 }, KEYS.main),
  );
  const walletId = wallets.data.find(({ name }) => name === 'main')?.id ?? '';
  return { token, walletId, taskId };
}

async function ofEachPlane(fleet: OutageFleet, path: string): Promise<Record<Plane, string>> {
  const answers = PLANES.map(
    async (plane) => [plane, await ask(`${fleet.addresses[plane]}${path}`)] as const,
  );
  return Object.fromEntries(await Promise.all(answers)) as Record<Plane, string>;
}

/** The answer of each plane's `/readyz`. */
export function seeReadiness(fleet: OutageFleet): Promise<Record<Plane, string>> {
  return ofEachPlane(fleet, '/readyz');
}

export async function lookAround(fleet: OutageFleet, session: Session): Promise<View> {
  const { gatewayUrl, consoleUrl } = fleet;
  const own = { headers: { authorization: `Bearer ${KEYS.main}` } };
  const operator = { headers: { authorization: `Bearer ${session.token}` } };
  const [alive, ready, ...answers] = await Promise.all([
    ofEachPlane(fleet, '/healthz'),
    seeReadiness(fleet),
    ask(
      `${gatewayUrl}/v1/chat/completions`,
      post({ model: 'plain', messages: [{ role: 'user', content: 'Hello' }] }, KEYS.main),
    ),
    ask(
      `${gatewayUrl}/v1/video/generations`,
      post({ model: 'film', prompt: 'meanwhile', duration: 5 }, KEYS.main),
    ),
    ask(`${gatewayUrl}/v1/video/generations/${session.taskId}`, own),
    ask(`${gatewayUrl}/v1/models`, own),
    ask(`${gatewayUrl}/v1/models`, { headers: { authorization: `Bearer ${fleet.nextKey()}` } }),
    ask(`${consoleUrl}/api/v1/auth/login`, post(ADMIN, '')),
    ask(`${consoleUrl}/api/v1/logs`, operator),
    ask(
      `${consoleUrl}/api/v1/wallets/${session.walletId}/topups`,
      post({ amount: '0.01', note: 'outage', idempotency_key: crypto.randomUUID() }, session.token),
    ),
  ]);
  const pairs = QUESTIONS.map((question, place) => [question, answers[place] ?? '']);
  return { alive, ready, answers: Object.fromEntries(pairs) as Record<Question, string> };
}
