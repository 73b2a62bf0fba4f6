import { GatewayError, omitUndefined } from '@mg/contract';
import { type JsonObject, parseObject, type VideoOrder } from '@mg/protocols';
import { type FakeJobs, startFakeJobs } from '@mg/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobCall, JobOrder, JobReply, JobRequest, JobSurface, PollResult } from './job-surface.js';
import type { SubmitResult, UpstreamJob } from './job-surface.js';
import { findProvider, listProviders } from './registry.js';

let upstream: FakeJobs;
beforeAll(async () => {
  upstream = await startFakeJobs();
});
afterAll(() => upstream.close());
beforeEach(() => upstream.reset());

interface Sample {
  readonly type: string;
  readonly dialect: string;
  readonly model: string;
  /** A length that this model can make. */
  readonly seconds: number;
  readonly key?: string;
  /** This provider has no words for states. */
  readonly wordless?: boolean;
}

/** Every job surface that talks to an address, with the fake that speaks like its provider. */
const SAMPLES: readonly Sample[] = [
  { type: 'videonative', dialect: 'ark', model: 'doubao-seedance-2-0-260128', seconds: 5 },
  { type: 'openai', dialect: 'openai', model: 'sora-2', seconds: 8 },
  { type: 'gemini', dialect: 'veo', model: 'veo-3.1-generate-preview', seconds: 8, wordless: true },
  { type: 'kling', dialect: 'kling', model: 'kling-v2-6', seconds: 10, key: 'access|the-key' },
  { type: 'minimax', dialect: 'minimax', model: 'MiniMax-Hailuo-2.3', seconds: 6 },
  { type: 'runway', dialect: 'runway', model: 'gen4.5', seconds: 5 },
  { type: 'dashscope', dialect: 'dashscope', model: 'wan2.6-t2v', seconds: 5 },
  { type: 'fal', dialect: 'fal', model: 'fal-ai/veo3.1', seconds: 8 },
  { type: 'replicate', dialect: 'replicate', model: 'google/veo-3.1', seconds: 8 },
];

const NOW = Date.now();

function findSurface({ type, model }: Sample): JobSurface {
  const surface = findProvider(type)?.jobs?.find((jobs) => jobs.serves?.(model) ?? true);
  if (!surface) throw new Error(`${type} makes no videos`);
  return surface;
}

function callOf(sample: Sample, model = sample.model): JobCall {
  return {
    model,
    baseUrl: `${upstream.urlOf(sample.dialect)}${findProvider(sample.type)?.versionPath ?? ''}`,
    settings: {},
    apiKey: sample.key ?? 'the-key',
    nowMs: NOW,
    obtainToken: async () => 'a-token',
    reference: '0192f0c1-0000-7000-8000-000000000001',
  };
}

function orderOf(sample: Sample, change: Partial<VideoOrder> = {}): JobOrder {
  return { apiVariant: 'generic', order: { prompt: 'a river at dawn', seconds: sample.seconds, ...change } };
}

async function send({ method, url, headers, body }: JobRequest): Promise<JobReply> {
  const written = Buffer.isBuffer(body) ? Uint8Array.from(body) : body && JSON.stringify(body);
  const response = await fetch(url, {
    method,
    headers: { ...headers },
    ...omitUndefined({ body: written }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    json: parseObject(text),
    text,
  };
}

/** The result of a submit to a fake with this behaviour. */
async function submit(
  sample: Sample,
  behaviour = '',
  change: Partial<VideoOrder> = {},
): Promise<SubmitResult> {
  const surface = findSurface(sample);
  const call = callOf(sample);
  const prompt = behaviour === '' ? 'a river at dawn' : `a river behaviour:${behaviour}`;
  const order = orderOf(sample, { prompt, ...change });
  return surface.readSubmit(await send(await surface.submit(order, call)), call, order);
}

async function start(sample: Sample, behaviour = ''): Promise<UpstreamJob> {
  const result = await submit(sample, behaviour);
  if (result.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(result)}`);
  return JSON.parse(JSON.stringify(result.job)) as UpstreamJob;
}

/** One look at a job, wherever its result stands. */
async function look(sample: Sample, job: UpstreamJob): Promise<PollResult> {
  const surface = findSurface(sample);
  const call = callOf(sample);
  const result = await surface.readPoll(await send(await surface.poll(job, call)), job, call);
  if (result.kind !== 'elsewhere') return result;
  return surface.readPoll(await send(result.request), result.job, call);
}

/** Every result up to the end, or as many as were asked for. */
async function watch(sample: Sample, behaviour = '', most = 12): Promise<PollResult[]> {
  const job = await start(sample, behaviour);
  const seen: PollResult[] = [];
  while (seen.length < most) {
    const result = await look(sample, job);
    seen.push(result);
    if (result.kind === 'succeeded' || result.kind === 'ended') break;
  }
  return seen;
}

it('every surface that talks to an address is sampled', () => {
  const speaking = listProviders().filter(({ jobs }) => jobs?.some((surface) => !surface.answer));
  expect(SAMPLES.map(({ type }) => type).sort()).toEqual(speaking.map(({ id }) => id).sort());
});

describe.each(SAMPLES)('$type: $model', (sample) => {
  it('makes one job of an order, under its own name, key and length', async () => {
    await start(sample);
    expect(upstream.jobs).toMatchObject([
      { model: sample.model, prompt: 'a river at dawn', seconds: sample.seconds },
    ]);
  });

  it('goes from waiting over making to a video', async () => {
    const [queued, ...rest] = await watch(sample);
    expect(queued?.kind).toBe('pending');
    expect(rest.at(-2)).toMatchObject({ kind: 'pending', state: 'running' });
    const end = rest.at(-1);
    if (end?.kind !== 'succeeded') throw new Error(`no video: ${JSON.stringify(end)}`);
    expect(end.actualSeconds ?? sample.seconds).toBe(sample.seconds);
    expect(end.result.expiresAt ?? NOW + 1).toBeGreaterThan(NOW);
    const surface = findSurface(sample);
    expect(end.result.needsKey === true).toBe(surface.download !== undefined);
    const download = await surface.download?.(end.result, callOf(sample));
    const video = await fetch(download?.url ?? end.result.url, { headers: { ...download?.headers } });
    expect(video.headers.get('content-type')).toBe('video/mp4');
    expect(await video.text()).toContain(`video of ${upstream.jobs[0]?.id}`);
  });

  it.each([
    ['refuse-400', 'caller'],
    ['refuse-policy', 'caller'],
    ['refuse-401', 'credential'],
    ['refuse-402', 'credential'],
    ['refuse-404', 'broken'],
    ['refuse-429', 'limited'],
    ['refuse-503', 'limited'],
    ['break-500-unmade', 'broken'],
  ])('%s is a refusal for certain: %s', async (behaviour, fault) => {
    const result = await submit(sample, behaviour);
    expect(result).toMatchObject({ kind: 'refused', fault });
    expect(result).toMatchObject({
      code: expect.stringMatching(/./),
      message: expect.stringMatching(/\w+ \w+/),
    });
    expect(upstream.jobs).toEqual([]);
  });

  it.each(['break-500-made', 'break-502-made', 'garbage-made'])(
    '%s leaves open whether there is a job',
    async (behaviour) => {
      expect(await submit(sample, behaviour)).toMatchObject({ kind: 'unclear' });
    },
  );

  it('keeps to itself a word that it does not know', async () => {
    const results = await watch(sample, 'strange');
    expect(results.slice(0, -1).every(({ kind }) => kind === 'pending')).toBe(true);
    expect(results.at(-1)?.kind).toBe('succeeded');
    const words = results.flatMap((result) =>
      result.kind === 'pending' ? (result.unknownStatus ?? []) : [],
    );
    expect(words).toHaveLength(sample.wordless ? 0 : 2);
  });

  it.each(['poll-503', 'poll-garbage'])('%s decides nothing', async (behaviour) => {
    const results = await watch(sample, behaviour);
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['unclear', 'pending', 'succeeded']));
  });

  it('a job that is not found decides nothing', async () => {
    expect((await watch(sample, 'poll-404', 3)).at(-1)?.kind).toBe('unclear');
  });

  it('reports why a job failed, in words of the provider', async () => {
    const end = (await watch(sample, 'fails')).at(-1);
    expect(end).toMatchObject({ kind: 'ended', state: 'failed' });
    expect(end).toMatchObject({
      code: expect.stringMatching(/\w/),
      message: expect.stringMatching(/\w+ \w+/),
    });
  });

  it.each(['expires', 'cancels'])('%s is an end', async (behaviour) => {
    expect((await watch(sample, behaviour)).at(-1)).toMatchObject({ kind: 'ended' });
  });

  it('says nothing of its key in addresses, and refuses a request by the other video API', async () => {
    const job = await start(sample);
    await look(sample, job);
    expect(upstream.requests.every(({ path }) => !path.includes('the-key'))).toBe(true);
    const surface = findSurface(sample);
    if (surface.native) return;
    const order: JobOrder = { apiVariant: 'native', body: {} as JsonObject };
    await expect(async () => surface.submit(order, callOf(sample))).rejects.toThrow(GatewayError);
  });
});

/** Those of the samples whose surface can do something that not all can. */
function listSamples(can: (surface: JobSurface) => boolean): Sample[] {
  return SAMPLES.filter((sample) => can(findSurface(sample)));
}

it.each(SAMPLES.filter(({ type }) => type !== 'openai'))(
  '$type: a success without a video is a failure',
  async (sample) => {
    const end = (await watch(sample, 'no-output')).at(-1);
    expect(end).toMatchObject({ kind: 'ended', state: 'failed', code: 'no_output' });
  },
);

it.each(listSamples((surface) => surface.cancel !== undefined))('$type: cancels a job', async (sample) => {
  const job = await start(sample, 'never-ends');
  const request = await findSurface(sample).cancel?.(job, callOf(sample));
  if (request) await send(request);
  expect(upstream.jobs[0]?.isCancelled).toBe(true);
  expect(await look(sample, job)).toMatchObject({ kind: 'ended', state: 'cancelled' });
});

it.each(listSamples((surface) => surface.find !== undefined))(
  '$type: finds a job whose order nobody answered, and none where there is none',
  async (sample) => {
    const { find, readFind } = findSurface(sample);
    if (!find || !readFind) throw new Error('what is found must be read');
    const call = callOf(sample);
    const order = orderOf(sample);
    const ask = async () => readFind(await send(await find(order, call)), call, order);
    expect(await ask()).toBe('none');
    await submit(sample, 'garbage-made');
    const found = await ask();
    if (typeof found === 'string') throw new Error(`not found: ${found}`);
    expect(found.id).toBe(upstream.jobs[0]?.id);
    expect(await look(sample, found)).toMatchObject({ kind: 'pending' });
  },
);
