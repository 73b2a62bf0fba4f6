import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { askUntilDecided, type RawAnswer, request } from '../src/clients/gateway-client.js';
import { KEYS } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';
import { LOST_VIDEO, SLOW_VIDEOS } from '../src/deployment/conditions.js';
import { ask, type Endpoint, endpointOf } from './endpoints.js';

const TASK = z.looseObject({
  id: z.string(),
  task_id: z.string().optional(),
  status: z.string(),
  video_url: z.url().optional(),
  content: z.looseObject({ video_url: z.url() }).optional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
});
export type Task = z.output<typeof TASK>;

/** A video task that was created, polled all the time, and has come to its end. */
export interface VideoJob {
  readonly endpoint: 8 | 10;
  readonly slug: keyof typeof SLOW_VIDEOS;
  readonly requestId: string;
  readonly path: string;
  readonly created: Task;
  /** The states in the order in which polls showed them, each once. */
  readonly words: readonly string[];
  readonly last: Task;
  readonly polls: number;
}

const PATIENCE_MS = 25_000;
const POLL_EVERY_MS = 100;
const ENDS = new Set(['completed', 'succeeded', 'failed']);

/** Two tasks of each API, one that succeeds and one that fails, watched to their ends: a dozen seconds at a provider's pace. */
export function watchVideos(deployment: Deployment): Promise<VideoJob[]> {
  const slugs = Object.keys(SLOW_VIDEOS) as VideoJob['slug'][];
  return Promise.all(
    ([8, 10] as const).flatMap((number) => slugs.map((slug) => watchVideo(deployment, number, slug))),
  );
}

/** One task of each API whose provider breaks every poll. Answers their paths. */
export async function loseVideos(deployment: Deployment): Promise<string[]> {
  const [[slug, upstream] = ['', '']] = Object.entries(LOST_VIDEO);
  deployment.jobs.script(upstream, { polls: ['drop'] });
  const made = await Promise.all(
    [8, 10].map(async (number) => {
      const { task } = await createVideo(deployment, endpointOf(number), slug);
      return `${endpointOf(number).path}/${task.id}`;
    }),
  );
  return made;
}

async function watchVideo(deployment: Deployment, number: 8 | 10, slug: VideoJob['slug']): Promise<VideoJob> {
  const endpoint = endpointOf(number);
  const { answer, task: created } = await createVideo(deployment, endpoint, slug);
  const path = `${endpoint.path}/${created.id}`;
  const words: string[] = [];
  let polls = 0;
  const poll = async () => {
    const task = await pollVideo(deployment, path);
    polls++;
    if (words.at(-1) !== task.status) words.push(task.status);
    return task;
  };
  // Often until its end, as a client that does not know better.
  const deadlineMs = Date.now() + PATIENCE_MS;
  let last = await poll();
  while (!ENDS.has(last.status)) {
    if (Date.now() > deadlineMs) throw new Error(`no end of ${slug} of endpoint ${number}`);
    await sleep(POLL_EVERY_MS);
    last = await poll();
  }
  const requestId = answer.headers.get('x-request-id') ?? '';
  return { endpoint: number, slug, requestId, path, created, words, last, polls };
}

/** @throws Error when a task is not created. */
async function createVideo(
  deployment: Deployment,
  endpoint: Endpoint,
  model: string,
): Promise<{ readonly answer: RawAnswer; readonly task: Task }> {
  const answer = await askUntilDecided(() => ask(deployment, endpoint, { model, key: KEYS.videos }));
  return { answer, task: readTask(`POST ${endpoint.path}`, answer) };
}

/** @throws Error when a poll answers anything but 200. */
export async function pollVideo(deployment: Deployment, path: string): Promise<Task> {
  const headers = { authorization: `Bearer ${KEYS.videos}` };
  return readTask(`GET ${path}`, await request(deployment, path, { headers }));
}

function readTask(call: string, { status, text }: RawAnswer): Task {
  if (status !== 200) throw new Error(`${call} answered ${status}: ${text}`);
  return TASK.parse(JSON.parse(text));
}
