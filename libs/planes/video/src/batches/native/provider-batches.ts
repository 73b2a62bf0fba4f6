import { type Channel, omitUndefined } from '@mg/contract';
import { isObject, type JsonObject } from '@mg/protocols';
import type { OwnBatches } from '@mg/providers';
import type { JobHttp, JobHttpResponse, OpenedFile } from '@mg/transport';
import { redactUpstreamError } from '../../drive/redact-upstream-error.js';

/** Name of our batches in the provider's metadata. */
const NAME = 'gateway_batch';
/** Nothing of ours stays at the provider for longer. */
const KEPT_SECONDS = 3 * 24 * 60 * 60;
const REQUEST_MS = 60_000;
const UPLOAD_MS = 10 * 60_000;
const PAGE = 100;
const MOST_PAGES = 20;
/** Clocks differ: batches that seem to be a little older than the request may be its own. */
const CLOCKS_DIFFER_SECONDS = 10 * 60;

/**
 * A provider's batches, asked with one key of one channel.
 *
 * @see https://platform.openai.com/docs/api-reference/batch
 */
export class ProviderClient {
  readonly #http: Pick<JobHttp, 'send' | 'open'>;
  readonly #channel: Channel;
  readonly #own: OwnBatches;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    http: Pick<JobHttp, 'send' | 'open'>,
    channel: Channel,
    own: OwnBatches,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#http = http;
    this.#channel = channel;
    this.#own = own;
    this.#headers = headers;
  }

  /** Uploads requests, one in each line. @throws UpstreamFailure */
  upload(id: string, lines: readonly Buffer[]): Promise<JobHttpResponse> {
    const boundary = `gateway-${id}`;
    const field = (name: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const head =
      field('purpose', 'batch') +
      field('expires_after[anchor]', 'created_at') +
      field('expires_after[seconds]', String(KEPT_SECONDS)) +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="gateway-${id}.jsonl"\r\n` +
      'content-type: application/jsonl\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), ...lines, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    return this.#send(
      'POST',
      '/files',
      { type: `multipart/form-data; boundary=${boundary}`, body },
      UPLOAD_MS,
    );
  }

  /** @throws UpstreamFailure: whether there is a batch now is not known. */
  create(id: string, fileId: string, endpoint: string): Promise<JobHttpResponse> {
    return this.#send('POST', '/batches', {
      type: 'application/json',
      body: Buffer.from(
        JSON.stringify({
          input_file_id: fileId,
          endpoint,
          completion_window: '24h',
          metadata: { [NAME]: id },
          output_expires_after: { anchor: 'created_at', seconds: KEPT_SECONDS },
        }),
      ),
    });
  }

  /**
   * Looks for a batch of ours that was created so many seconds ago at most.
   *
   * @returns `undefined` where there is certainly none.
   * @throws Error where that cannot be found out.
   */
  async find(id: string, seconds: number): Promise<string | undefined> {
    const since = Date.now() / 1_000 - seconds - CLOCKS_DIFFER_SECONDS;
    let after = '';
    for (let page = 0; page < MOST_PAGES; page++) {
      const { status, json } = await this.#send('GET', `/batches?limit=${PAGE}${after}`);
      if (status !== 200 || !Array.isArray(json?.data)) {
        throw new Error(`the list of batches was answered with status ${status}`);
      }
      const batches = json.data.filter(isObject);
      const ours = batches.find(({ metadata }) => isObject(metadata) && metadata[NAME] === id);
      if (typeof ours?.id === 'string') return ours.id;
      const last = batches.at(-1);
      if (json.has_more !== true || typeof last?.id !== 'string') return undefined;
      if (typeof last.created_at === 'number' && last.created_at < since) return undefined;
      after = `&after=${encodeURIComponent(last.id)}`;
    }
    throw new Error('the list of batches is too long');
  }

  /** @throws UpstreamFailure */
  retrieve(upstreamId: string): Promise<JobHttpResponse> {
    return this.#send('GET', `/batches/${encodeURIComponent(upstreamId)}`);
  }

  /** @throws UpstreamFailure */
  cancel(upstreamId: string): Promise<JobHttpResponse> {
    return this.#send('POST', `/batches/${encodeURIComponent(upstreamId)}/cancel`);
  }

  /** Opens a file of results. @throws UpstreamFailure */
  openFile(fileId: string): Promise<OpenedFile> {
    const url = this.#address(`/files/${encodeURIComponent(fileId)}/content`);
    return this.#http.open({ method: 'GET', url, headers: this.#headers }, this.#channel.timeouts, false);
  }

  #send(
    method: 'GET' | 'POST',
    path: string,
    content?: { readonly type: string; readonly body: Buffer },
    totalMs = REQUEST_MS,
  ): Promise<JobHttpResponse> {
    const headers = { ...this.#headers, ...omitUndefined({ 'content-type': content?.type }) };
    const url = this.#address(path);
    return this.#http.send(omitUndefined({ method, url, headers, body: content?.body }), {
      ...this.#channel.timeouts,
      totalMs,
    });
  }

  #address(path: string): URL {
    return new URL(this.#own.address(path));
  }
}

/** What a provider says is wrong: bounded, and without anything that looks like a credential. */
export function readComplaint(json: JsonObject | undefined): string | undefined {
  const { error, errors } = json ?? {};
  const [first] = isObject(errors) && Array.isArray(errors.data) ? errors.data : [error];
  const { code, message } = isObject(first) ? first : {};
  return typeof message === 'string'
    ? redactUpstreamError({ code: String(code), message }).message
    : undefined;
}

/** A member of an answer that is a text. */
export function textOf(json: JsonObject | undefined, name: string): string | undefined {
  const value = json?.[name];
  return typeof value === 'string' ? value : undefined;
}
