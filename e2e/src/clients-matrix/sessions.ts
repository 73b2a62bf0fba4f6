import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { openTlsDoor } from '../clients/realtime-client.js';
import { KEYS, PROVIDER_KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { REALTIME_PRICE } from '../deployment/small-configuration.js';
import { waitUntil } from '../wait-until.js';
import type { SdkTask } from './sdk-tasks.js';

/** A session over a WebSocket, native to one kind of upstream. */
export interface SessionTask extends SdkTask {
  readonly kind: 'openai' | 'gemini';
  readonly model: string;
}

const TALK = { kind: 'openai', model: 'talk' } as const;
const LIVE = { kind: 'gemini', model: 'live' } as const;

export const SESSION_TASKS: readonly SessionTask[] = [
  { name: 'realtime (js)', file: 'realtime.mjs', ...TALK },
  { name: 'live (js)', file: 'live.mjs', ...LIVE },
  { name: 'realtime (py)', file: 'realtime_sdk.py', python: 'sdks', ...TALK },
  { name: 'live (py)', file: 'live_sdk.py', python: 'sdks', ...LIVE },
];

/** Where sessions are opened, and what is in the environment of those who do. */
export interface SessionDoor {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  close(): void;
}

/** Offers models for sessions, behind TLS: most SDKs open them by no other way. @param folder for the certificate. */
export async function openSessionDoor(deployment: Deployment, folder: string): Promise<SessionDoor> {
  await offerModels(deployment);
  const door = await openTlsDoor(deployment.gatewayUrl);
  const certificate = join(folder, 'door.pem');
  await writeFile(certificate, door.ca);
  return {
    url: new URL(door.baseUrl).origin,
    env: { NODE_EXTRA_CA_CERTS: certificate, SSL_CERT_FILE: certificate },
    close: () => door.close(),
  };
}

async function offerModels(deployment: Deployment): Promise<void> {
  const console = await ConsoleClient.asAdmin(deployment);
  const { url } = deployment.upstream;
  const [api_key] = PROVIDER_KEYS;
  for (const [{ model }, type, path] of [
    [TALK, 'openai', 'v1'],
    [LIVE, 'gemini', 'v1beta'],
  ] as const) {
    const limits = { context_window: 10_000, max_output_tokens: 1_000 };
    await console.demand('POST', '/models', {
      slug: model,
      kind: 'realtime',
      price: REALTIME_PRICE,
      ...limits,
    });
    const base_url = `${url}/${path}`;
    await console.demand('POST', '/channels', {
      name: model,
      type,
      base_url,
      api_key,
      models: { [model]: model },
    });
  }
  const headers = { authorization: `Bearer ${KEYS.main}` };
  await waitUntil('the models for sessions', async () => {
    const { text } = await request(deployment, '/v1/models', { headers });
    return [TALK, LIVE].every(({ model }) => text.includes(`"${model}"`));
  });
}
