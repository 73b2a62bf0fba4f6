import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../json.js';

/** A job that was made, whether or not the answer said so. Live: its polls are counted as they come. */
export interface FakeJob {
  /** The id that this provider reports. */
  readonly id: string;
  readonly dialect: string;
  readonly model: string;
  readonly prompt: string;
  readonly seconds: number;
  /** The caller's own id, where this provider keeps one. */
  readonly reference: string | undefined;
  /** The order's body: JSON, or the texts of a form, with the files' names. */
  readonly body: Json;
  /** The key that made it; another one does not find it. */
  readonly key: string;
  readonly polls: number;
  /** Whether it was cancelled by request. */
  readonly isCancelled: boolean;
}

/** One request as it came, with the status it got; none when it was left without an answer. */
export interface FakeJobRequest {
  readonly dialect: string;
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  readonly status: number | undefined;
}

type Open<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/** The ledger of a fake job API: what a test holds a bill, and the count of submits, against. */
export class JobStore {
  private jobRows: Open<FakeJob>[] = [];
  private requestRows: Open<FakeJobRequest>[] = [];
  private waiters: (() => boolean)[] = [];

  get jobs(): readonly FakeJob[] {
    return this.jobRows;
  }

  get requests(): readonly FakeJobRequest[] {
    return this.requestRows;
  }

  enterJob(facts: Omit<FakeJob, 'polls' | 'isCancelled'>): FakeJob {
    const row = { ...facts, polls: 0, isCancelled: false };
    this.jobRows.push(row);
    this.announce();
    return row;
  }

  enterRequest(facts: Omit<FakeJobRequest, 'status'>): FakeJobRequest {
    const row = { ...facts, status: undefined };
    this.requestRows.push(row);
    this.announce();
    return row;
  }

  change<Row extends FakeJob | FakeJobRequest>(row: Row, change: Partial<Row>): void {
    Object.assign(row, change);
    this.announce();
  }

  reset(): void {
    this.jobRows = [];
    this.requestRows = [];
  }

  /** The first job, past or to come, that the predicate accepts. @throws Error after the timeout. */
  async waitForJob(predicate: (job: FakeJob) => boolean, timeoutMs: number): Promise<FakeJob> {
    return new Promise((resolve, reject) => {
      const isMet = (): boolean => {
        const found = this.jobRows.find(predicate);
        if (!found) return false;
        clearTimeout(timer);
        resolve(found);
        return true;
      };
      const timer = setTimeout(() => {
        this.waiters = this.waiters.filter((waiter) => waiter !== isMet);
        const seen = this.jobRows.map((job) => `${job.dialect}/${job.model} polls=${job.polls}`).join('; ');
        reject(new Error(`no such job within ${timeoutMs} ms; seen: ${seen || 'nothing'}`));
      }, timeoutMs);
      if (!isMet()) this.waiters.push(isMet);
    });
  }

  private announce(): void {
    this.waiters = this.waiters.filter((isMet) => !isMet());
  }
}
