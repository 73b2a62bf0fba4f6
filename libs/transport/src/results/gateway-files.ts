import { request } from 'undici';
import { createAgent } from '../create-agent.js';
import type { OpenedFile } from '../jobs/job-http.js';
import { type RangeRequest, toRangeHeaders } from './result-store.js';

const HEADERS_WITHIN_MS = 30_000;
const IDLE_MS = 60_000;

/** Files that the gateway serves, as another plane reads them. */
export class GatewayFiles {
  readonly #url: string;
  readonly #agent = createAgent({ headersTimeout: HEADERS_WITHIN_MS, bodyTimeout: IDLE_MS });

  /** @param url address of the gateway plane. */
  constructor(url: string) {
    this.#url = url.replace(/\/+$/, '');
  }

  /** Opens a file or a part of it, whatever its status; a redirect is not followed. @throws Error when nobody answers. */
  async open(path: string, requested: RangeRequest): Promise<OpenedFile> {
    const { statusCode, headers, body } = await request(this.#url + path, {
      headers: { 'accept-encoding': 'identity', ...toRangeHeaders(requested) },
      dispatcher: this.#agent,
    });
    // A body may break off before its reader has begun.
    body.on('error', () => undefined);
    return { status: statusCode, headers, body };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
