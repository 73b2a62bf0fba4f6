import type { Readable } from 'node:stream';
import { omitUndefined } from '@mg/contract';
import type { OpenedFile } from '../jobs/job-http.js';

/** What of a file is asked for: the headers of a range request as they came. */
export interface RangeRequest {
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
}

/** The headers that ask for it. */
export function toRangeHeaders({ range, ifRange }: RangeRequest): Record<string, string> {
  return omitUndefined({ range, 'if-range': ifRange });
}

/** Where our own copies of results are kept. */
export interface ResultStore {
  /**
   * Keeps a file under a name; the same name again replaces it.
   *
   * @param size in bytes; `undefined` where nobody knows it yet.
   * @throws when it cannot be kept whole.
   */
  keep(name: string, contentType: string, body: Readable, size: number | undefined): Promise<void>;
  /** Opens a file or a part of it: status 200, 206, 404 or 416, with the headers that belong to it. */
  open(name: string, requested: RangeRequest): Promise<OpenedFile>;
  /** Deletes a file, and what is left of attempts to keep it; one that there is not is none to be deleted. @throws when it may still be there. */
  remove(name: string): Promise<void>;
  /** Deletes files whose names begin so and that are older. Left out where the store has rules of its own for that. */
  expire?(prefix: string, olderThanMs: number): Promise<void>;
}
