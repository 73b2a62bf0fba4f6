import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Time of a process by what it ran, without what that called; shares of the time in which it was not idle. */
export interface ProfileSummary {
  readonly busyMs: number;
  readonly functions: readonly TimeShare[];
  readonly areas: readonly TimeShare[];
}

export interface TimeShare {
  readonly name: string;
  readonly share: number;
}

const IDLE = '(idle)';
/** Functions that V8 itself names; the program is native code that no JavaScript called. */
const OF_ENGINE: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code outside JavaScript',
};
/** The first that fits names the area of a file. */
const AREAS: readonly (readonly [RegExp, string])[] = [
  [/node_modules\/undici\//, 'undici'],
  [/node_modules\/(fastify|find-my-way|avvio|light-my-request|@fastify|@nestjs)\//, 'Fastify and Nest'],
  [/node_modules\/(pg|pg-[a-z-]+|typeorm|ioredis|bullmq)\//, 'clients of Postgres and Redis'],
  [/node_modules\/(pino|sonic-boom|thread-stream|prom-client)[^/]*\//, 'log and metrics'],
  [/node_modules\//, 'other packages'],
  [/libs\/protocols\//, 'ours: protocols'],
  [/libs\/transport\//, 'ours: transport'],
  [/libs\/persistence\//, 'ours: persistence'],
  [/libs\/planes\/inference\/(src|dist)\/(edge|http)\//, 'ours: edge'],
  [/libs\//, 'ours: the call'],
  [
    /^node:internal\/(streams|stream_base)|^node:(stream|net)|^node:internal\/js_stream/,
    'Node: sockets and streams',
  ],
  [/^node:_http|^node:internal\/http|^node:http/, 'Node: HTTP'],
  [/^node:internal\/(timers|process|async)|^node:timers/, 'Node: turns, timers, promises'],
  [/^node:/, 'Node: the rest'],
];

/** Sums up a profile by function and by area. Functions of a bundle get the names of the files that they come from. */
export function summariseProfile({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): ProfileSummary {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const functions = new Map<string, number>();
  const areas = new Map<string, number>();
  let busyUs = 0;
  samples.forEach((id, index) => {
    const frame = byId.get(id);
    const us = timeDeltas[index] ?? 0;
    if (!frame || frame.functionName === IDLE) return;
    busyUs += us;
    const { file, area } = placeFrame(frame);
    const name = file === '' ? frame.functionName : `${frame.functionName || '(anonymous)'} ${file}`;
    functions.set(name, (functions.get(name) ?? 0) + us);
    areas.set(area, (areas.get(area) ?? 0) + us);
  });
  const rank = (times: ReadonlyMap<string, number>) =>
    [...times].map(([name, us]) => ({ name, share: us / busyUs })).sort((a, b) => b.share - a.share);
  return { busyMs: busyUs / 1_000, functions: rank(functions), areas: rank(areas) };
}

function placeFrame({ functionName, url, lineNumber, columnNumber }: Frame): { file: string; area: string } {
  const ofEngine = OF_ENGINE[functionName];
  if (ofEngine !== undefined) return { file: '', area: ofEngine };
  const file = url.startsWith('file:') ? findSource(url, lineNumber, columnNumber) : url;
  if (file === '') return { file, area: 'native code that JavaScript called' };
  const area = AREAS.find(([pattern]) => pattern.test(file))?.[1] ?? 'the rest';
  return { file: `(${file.replace(/^.*node_modules\//, '').replace(/^.*?libs\//, '')})`, area };
}

type Frame = Profiler.ProfileNode['callFrame'];

const sourceMaps = new Map<string, SourceMap | undefined>();

function findSource(url: string, line: number, column: number): string {
  if (!sourceMaps.has(url)) sourceMaps.set(url, readSourceMap(fileURLToPath(url)));
  const entry = sourceMaps.get(url)?.findEntry(line, column);
  return entry && 'originalSource' in entry ? entry.originalSource : url;
}

function readSourceMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
