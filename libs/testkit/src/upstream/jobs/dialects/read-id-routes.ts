import type { JobArrival, JobRoute } from '../job-dialect.js';

/** Paths of a job API whose jobs are addressed by their id; a path that ends where another starts is distinguished by its method. */
export interface IdPaths {
  /** Exact paths that take orders. */
  readonly create: string | RegExp;
  /** What stands before the id. */
  readonly poll: string;
  /** What stands before the id that is deleted. */
  readonly cancel?: string;
}

export function readIdRoutes(paths: IdPaths): (arrival: JobArrival) => JobRoute | undefined {
  return ({ method, path }) => {
    const isCreate = typeof paths.create === 'string' ? path === paths.create : paths.create.test(path);
    if (method === 'POST' && isCreate) return { kind: 'create' };
    if (method === 'DELETE' && paths.cancel !== undefined) return readId('cancel', path, paths.cancel);
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    return readId('content', path, '/content') ?? readId('poll', path, paths.poll);
  };
}

function readId(kind: 'cancel' | 'content' | 'poll', path: string, prefix: string): JobRoute | undefined {
  if (!path.startsWith(`${prefix}/`)) return undefined;
  return { kind, id: decodeURIComponent(path.slice(prefix.length + 1)) };
}
