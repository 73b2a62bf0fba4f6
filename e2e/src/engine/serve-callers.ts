import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createTcpProxy,
  type FakeJobs,
  type FakeUpstream,
  startFakeJobs,
  startFakeUpstream,
} from '@mg/testkit';
import { parse, stringify } from 'yaml';
import { TOKEN_PRICE } from '../deployment/configuration.js';
import { KEYS, PROVIDER_KEYS } from '../deployment/credentials.js';
import { SECOND_PRICE } from '../deployment/videos.js';
import { LOAD_MODELS } from '../drill/stack-load.js';
import type { EngineProject } from './engine-project.js';

/** A model whose answers wait until the test lets them go. */
export const HELD_MODEL = 'held';

const CONFIGURATION = 'deploy/config/gateway.yaml';

export interface Providers {
  readonly upstream: FakeUpstream;
  readonly jobs: FakeJobs;
  /** Writes channels of these providers into the configuration file of the stack, which is applied while it runs. */
  configure(project: EngineProject): Promise<void>;
  close(): Promise<void>;
}

/** Fake providers of this process, and a way to them for containers. */
export async function startProviders(): Promise<Providers> {
  const upstream = await startFakeUpstream({ acceptedKeys: PROVIDER_KEYS });
  const jobs = await startFakeJobs({ acceptedKeys: PROVIDER_KEYS });
  const everywhere = { host: '0.0.0.0', port: 0 };
  const proxies = [
    await createTcpProxy(upstream.url, everywhere),
    await createTcpProxy(jobs.url, everywhere),
  ];
  const portOf = (index: number) => new URL(proxies[index]?.url ?? '').port;
  return {
    upstream,
    jobs,
    configure: async (project) => {
      const host = await project.findHost('edge');
      const path = new URL(jobs.urlOf('ark')).pathname;
      const urls = { chat: `http://${host}:${portOf(0)}/v1`, video: `http://${host}:${portOf(1)}${path}` };
      const file = join(project.folder, CONFIGURATION);
      await writeFile(file, addChannels(await readFile(file, 'utf8'), urls));
    },
    close: async () => {
      for (const closable of [...proxies, upstream, jobs]) await closable.close();
    },
  };
}

function addChannels(text: string, urls: { readonly chat: string; readonly video: string }): string {
  const file = parse(text) as { wallets: object[]; tokens: object[] };
  const { call, stream, video } = LOAD_MODELS;
  const chats = [call, stream, HELD_MODEL];
  const shared = {
    api_keys: [...PROVIDER_KEYS],
    timeout: { connect: '2s', first_byte: '120s', idle: '60s', total: '180s' },
  };
  return stringify({
    ...file,
    channels: [
      { name: 'chat', type: 'openai-compatible', base_url: urls.chat, models: chats, ...shared },
      {
        name: 'video',
        type: 'videonative',
        base_url: urls.video,
        models: { [video]: 'seedance' },
        ...shared,
      },
    ],
    models: [
      ...chats.map((slug) => ({ slug, kind: 'chat', max_output_tokens: 4_096, price: TOKEN_PRICE })),
      { slug: video, kind: 'video', price: { per_second: SECOND_PRICE } },
    ],
    wallets: [...file.wallets, { name: 'main', balance: '1000.00' }],
    tokens: [...file.tokens, { name: 'main', wallet: 'main', key: KEYS.main }],
  });
}
