import type { IncomingMessage, ServerResponse } from 'node:http';
import { BatchStore } from './fake-batches.js';
import { MessageBatchStore } from './fake-message-batches.js';
import { serveBatches } from './serve-batches.js';
import { serveMessageBatches } from './serve-message-batches.js';

/** Batches of OpenAI's and of Anthropic's API for a server of one's own, which is asked for each of their requests. */
export class FakeBatchApis {
  readonly #batches = new BatchStore();
  readonly #messageBatches = new MessageBatchStore();

  /** Answers what is asked of batches. @returns whether it was that. */
  async serve(
    { method = '', url = '/', headers }: IncomingMessage,
    rawBody: Buffer,
    response: ServerResponse,
  ): Promise<boolean> {
    const { pathname: path, searchParams: query } = new URL(url, 'http://fake');
    const asked = { method, path, query, headers, rawBody };
    if (await serveBatches(asked, response, this.#batches, undefined)) return true;
    return serveMessageBatches(asked, response, this.#messageBatches, undefined);
  }
}
