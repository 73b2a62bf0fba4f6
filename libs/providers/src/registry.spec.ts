import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { explainIssue, omitUndefined } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { buildOutgoing, chooseSurface, findBaseUrl } from './build-outgoing.js';
import type { OutgoingRequest, Settings, SigningContext } from './signing.js';
import { guessKind } from './model-list.js';
import { findProvider, listProviders } from './registry.js';

const SOURCE = import.meta.dirname;
const FOLDERS = readdirSync(SOURCE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('__'))
  .map((entry) => entry.name);
const PROVIDERS = listProviders().map((provider) => [provider.id, provider] as const);

/** Imports that lead into the folder of another provider. */
function listForeignImports(path: string, folder: string): string[] {
  const specifiers = [...readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(
    ([, found = '']) => found,
  );
  return specifiers
    .map((specifier) =>
      resolve(dirname(path), specifier)
        .slice(SOURCE.length + 1)
        .split('/'),
    )
    .filter(([first, ...rest]) => rest.length > 0 && first !== folder)
    .map((segments) => segments.join('/'));
}

/** What a model of a kind is for, beside chats and videos. */
const OPERATION = {
  embedding: 'embeddings',
  image: 'image-generation',
  transcription: 'transcription',
  speech: 'speech',
  moderation: 'moderation',
  rerank: 'rerank',
} as const;

describe('the registry', () => {
  it('has a line for each folder, under its name', () => {
    expect(PROVIDERS.map(([id]) => id).sort()).toEqual(FOLDERS.toSorted());
  });

  it.each(FOLDERS)('%s imports no other provider', (folder) => {
    const files = readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' });
    const foreign = files
      .filter((name) => name.endsWith('.ts'))
      .flatMap((file) => listForeignImports(join(SOURCE, folder, file), folder));
    expect(foreign).toEqual([]);
  });

  it.each(PROVIDERS)('%s is complete', (_, provider) => {
    expect(provider.title).not.toBe('');
    const { surfaces, exchanges = [], jobs = [], realtime = [] } = provider;
    expect(surfaces.length + exchanges.length + jobs.length).toBeGreaterThan(0);
    const { credential, defaultBaseUrl, models } = provider;
    const canAppear = credential === 'api-key' && defaultBaseUrl !== undefined && models.length > 0;
    expect(provider.environmentKey === undefined || canAppear).toBe(true);
    expect(new Set(models.map((card) => card.slug)).size).toBe(models.length);
    const unpriced = models.filter((card) => (card.price ?? provider.priceSource) === undefined);
    expect(unpriced).toEqual([]);
    const unserved = models.filter(({ slug, kind }) => {
      if (kind === 'video') return !jobs.some((job) => job.serves?.(slug) ?? true);
      if (kind === 'realtime') return !realtime.some((one) => one.serves?.(slug, {}) ?? true);
      if (kind === 'chat') return !chooseSurface(provider, 'chat', slug, 'openai-chat', {});
      return !exchanges.some((one) => one.operation === OPERATION[kind] && (one.serves?.(slug, {}) ?? true));
    });
    expect(unserved).toEqual([]);
  });

  it('has the channels that the operator contract promises to appear by themselves', () => {
    const variables = listProviders().flatMap((provider) => provider.environmentKey ?? []);
    expect(variables).toEqual(
      expect.arrayContaining(['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'ARK_API_KEY']),
    );
    const shared = variables.filter((variable, index) => variables.indexOf(variable) !== index);
    expect(shared).toEqual(['ARK_API_KEY']);
  });
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const SERVICE_ACCOUNT = JSON.stringify({
  client_email: 'gateway@example.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
});
const AWS = { region: 'eu-west-1', access_key_id: 'AKIDEXAMPLE', secret_access_key: 'secret' };
const VERTEX = { project: 'acme-1', location: 'us-central1', service_account: SERVICE_ACCOUNT };

interface Sample {
  readonly type: string;
  readonly model: string;
  readonly settings?: Settings;
  readonly baseUrl?: string;
  readonly apiKey?: string | undefined;
  readonly body?: object;
}

/** One call for each surface of each provider. */
const SAMPLES: readonly Sample[] = [
  { type: 'openai', model: 'gpt-5-mini' },
  { type: 'openai', model: 'gpt-6.1-sol' },
  { type: 'openai', model: 'gpt-3.5-turbo-instruct' },
  { type: 'openai-compatible', model: 'any', baseUrl: 'http://127.0.0.1:9000', apiKey: undefined },
  {
    type: 'azure-openai',
    model: 'gpt-4o',
    baseUrl: 'https://acme.openai.azure.com/',
    settings: { api_version: '2024-10-21', deployment: 'my-gpt' },
  },
  {
    type: 'azure-openai',
    model: 'gpt-5',
    baseUrl: 'https://acme.openai.azure.com',
    settings: { api_version: 'v1' },
  },
  {
    type: 'azure-openai',
    model: 'gpt-5.4',
    baseUrl: 'https://acme.openai.azure.com',
    settings: { api_version: 'v1' },
  },
  {
    type: 'azure-openai',
    model: 'gpt-5.4',
    baseUrl: 'https://acme.openai.azure.com',
    settings: { api_version: '2025-04-01-preview', deployment: 'my-gpt' },
  },
  {
    type: 'azure-openai',
    model: 'gpt-3.5-turbo-instruct',
    baseUrl: 'https://acme.openai.azure.com',
    settings: { api_version: '2024-10-21' },
  },
  { type: 'anthropic', model: 'claude-opus-5-5' },
  { type: 'gemini', model: 'gemini-3.8-flash' },
  { type: 'gemini', model: 'tunedModels/acme' },
  {
    type: 'vertex',
    model: 'gemini-2.5-pro',
    settings: VERTEX,
    body: { contents: [{ parts: [{ text: 'hi' }] }] },
  },
  { type: 'vertex', model: 'claude-opus-4-1@20250805', settings: { ...VERTEX, location: 'global' } },
  { type: 'bedrock', model: 'us.anthropic.claude-opus-4-1-20250805-v1:0', settings: AWS, apiKey: undefined },
  { type: 'bedrock', model: 'anthropic.claude-haiku-4-5-20251001-v1:0', settings: { region: 'cn-north-1' } },
  { type: 'bedrock', model: 'us.amazon.nova-2-lite-v1:0', settings: AWS, apiKey: undefined },
  { type: 'deepseek', model: 'deepseek-v4-pro', body: { reasoning_effort: 'none' } },
  { type: 'openrouter', model: 'openai/gpt-5-mini' },
  { type: 'mistral', model: 'mistral-large-2512', body: { seed: 7 } },
  { type: 'xai', model: 'grok-4.6' },
  { type: 'groq', model: 'openai/gpt-oss-120b' },
  { type: 'togetherai', model: 'zai-org/GLM-5.1', body: { reasoning_effort: 'none' } },
  { type: 'fireworks', model: 'accounts/fireworks/models/kimi-k2p6' },
  { type: 'moonshot', model: 'kimi-k2.6', body: { reasoning_effort: 'high' } },
  { type: 'qwen', model: 'qwen-plus', body: { reasoning_effort: 'low' } },
  { type: 'zhipu', model: 'glm-5.3', body: { reasoning_effort: 'high' } },
  { type: 'volcengine', model: 'doubao-seed-1-6-251015', body: { reasoning_effort: 'low' } },
  { type: 'ollama', model: 'llama3.3', apiKey: undefined },
  { type: 'vllm', model: 'any', baseUrl: 'http://127.0.0.1:8000/v1' },
  { type: 'sandbox', model: 'sandbox-chat', baseUrl: 'http://sandbox.invalid' },
];

/** Their requests name the model in the path alone. */
const NAMELESS: ReadonlySet<string> = new Set(['gemini-generate', 'bedrock-converse']);
const PLAIN_HEADERS = ['content-type', 'accept', 'accept-encoding', 'user-agent'];

async function send(sample: Sample, stream: boolean, passedHeaders = {}): Promise<OutgoingRequest> {
  const { type, model, settings = {} } = sample;
  const provider = findProvider(type);
  const surface = provider && chooseSurface(provider, 'chat', model, 'gemini-generate', settings);
  if (!provider || !surface) throw new Error(`${type} does not serve ${model}`);
  const baseUrl = findBaseUrl(provider, sample.baseUrl, settings);
  if (baseUrl === undefined) throw new Error(`${type} has no address`);
  const context: SigningContext = {
    apiKey: 'apiKey' in sample ? sample.apiKey : 'the-key',
    settings,
    nowMs: Date.UTC(2026, 10, 21, 12),
    obtainToken: async (_, makeGrant) => `token of ${makeGrant().url}`,
  };
  const named = NAMELESS.has(surface.protocol) ? {} : omitUndefined({ model, stream: stream || undefined });
  const bytes = Buffer.from(JSON.stringify({ ...named, ...sample.body }));
  const body = { contentType: 'application/json', bytes };
  const call = { model, stream, settings };
  return buildOutgoing({ provider, surface, baseUrl, call, body, passedHeaders }, context);
}

function show({ url, headers, body }: OutgoingRequest): unknown {
  const own = Object.entries(headers).filter(([name]) => !PLAIN_HEADERS.includes(name));
  return { url: url.href, headers: Object.fromEntries(own), body: JSON.parse(body.toString()) as unknown };
}

describe('requests as they leave', () => {
  it('are sampled for each provider', () => {
    const chatting = PROVIDERS.filter(([, provider]) => provider.surfaces.length > 0).map(([id]) => id);
    expect(new Set(SAMPLES.map(({ type }) => type))).toEqual(new Set(chatting));
  });

  it.each(SAMPLES)('$type: $model', async (sample) => {
    expect({
      whole: show(await send(sample, false)),
      stream: show(await send(sample, true)),
    }).toMatchSnapshot();
  });

  it("tell Anthropic the client's own version and betas, Bedrock only those that it knows", async () => {
    const passed = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'effort-2025-11-24,of-tomorrow' };
    const own = await send({ type: 'anthropic', model: 'claude-opus-5-5' }, false, passed);
    expect(own.headers).toMatchObject(passed);
    const { 'anthropic-beta': beta } = passed;
    const sample = {
      type: 'bedrock',
      model: 'anthropic.claude-opus-4-6-v1:0',
      settings: AWS,
      apiKey: undefined,
    };
    const bedrock = await send(sample, false, { 'anthropic-beta': beta });
    expect(bedrock.headers).not.toHaveProperty('anthropic-beta');
    expect(JSON.parse(bedrock.body.toString())).toMatchObject({ anthropic_beta: ['effort-2025-11-24'] });
  });

  it('ask Bedrock for its own frames in a stream', async () => {
    const sample = {
      type: 'bedrock',
      model: 'anthropic.claude-opus-4-6-v1:0',
      settings: AWS,
      apiKey: undefined,
    };
    expect((await send(sample, true)).headers.accept).toBe('application/vnd.amazon.eventstream');
    await expect(send({ ...sample, settings: { region: 'eu-west-1' } }, true)).rejects.toThrow(
      'neither AWS keys',
    );
  });
});

describe('settings', () => {
  it.each<[type: string, settings: Settings, param: string]>([
    ['openai', { region: 'x' }, 'region'],
    ['openai-compatible', { max_tokens_field: 'tokens' }, 'max_tokens_field'],
    ['openai-compatible', { api_version: '1' }, 'api_version'],
    ['vllm', { json_schema: 'yes' }, 'json_schema'],
    ['vllm', { efforts: ['huge'] }, 'efforts[0]'],
    ['azure-openai', {}, 'api_version'],
    ['azure-openai', { api_version: 'latest' }, 'api_version'],
    ['azure-openai', { api_version: 'v1', deployment: 'a' }, 'deployment'],
    ['vertex', {}, 'project'],
    ['vertex', { project: 'acme-1', location: 'evil.example.com/' }, 'location'],
    ['vertex', { project: 'acme-1', service_account: '{}' }, 'service_account'],
    ['bedrock', {}, 'region'],
    ['bedrock', { region: 'evil.example.com' }, 'region'],
    ['bedrock', { region: 'eu-west-1', access_key_id: 'a' }, 'secret_access_key'],
    ['bedrock', { region: 'eu-west-1', session_token: 'a' }, 'access_key_id'],
  ])('%s refuses %j', (type, settings, param) => {
    const result = findProvider(type)?.settings.safeParse(settings);
    if (result?.success !== false) throw new Error('the settings were taken');
    const issue = explainIssue(result.error);
    expect(`${issue.param} ${issue.message}`).toContain(param);
    expect(issue.message).not.toContain('PRIVATE KEY');
  });

  it.each<[type: string, settings: Settings]>([
    ['openai-compatible', {}],
    ['openai-compatible', { max_tokens_field: 'max_completion_tokens', stream_usage: false, efforts: [] }],
    ['azure-openai', { api_version: '2025-04-01-preview' }],
    ['vertex', { project: 'acme-1' }],
    ['vertex', { project: 'acme-1', service_account: JSON.parse(SERVICE_ACCOUNT) as object }],
    ['bedrock', AWS],
    ['bedrock', { region: 'us-gov-west-1' }],
  ])('%s takes %j', (type, settings) => {
    expect(findProvider(type)?.settings.safeParse(settings)).toMatchObject({ success: true });
  });

  it('correct what a look-alike is known for', () => {
    const [surface] = findProvider('deepseek')?.surfaces ?? [];
    expect(surface?.traits?.('m', {})).toMatchObject({
      acceptsReasoningHistory: true,
      supportsJsonSchema: false,
    });
    expect(surface?.traits?.('m', { json_schema: true })).toMatchObject({
      acceptsReasoningHistory: true,
      supportsJsonSchema: true,
    });
  });
});

describe('models that transcribe in sessions', () => {
  it.each(['gpt-realtime-whisper', 'gpt-live-transcribe'])('%s costs by the minute', (slug) => {
    expect(guessKind(slug)).toBe('transcription');
    expect(findProvider('openai')?.models.find((model) => model.slug === slug)).toEqual({
      slug,
      kind: 'transcription',
      price: { per_minute: '0.017' },
    });
  });
});
