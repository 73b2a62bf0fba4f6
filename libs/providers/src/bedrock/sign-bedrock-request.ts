import { GatewayError, omitUndefined } from '@mg/contract';
import { type JsonObject, rewriteInSlices, type StoredBytes } from '@mg/protocols';
import { AwsV4Signer } from 'aws4fetch';
import { BETA_HEADER, filterPortableBetas } from '../claude-betas.js';
import type { OutgoingRequest, SigningContext } from '../signing.js';

const SERVICE = 'bedrock';

/**
 * Authorises a finished request: by the channel's API key where it has one, else by a signature of the AWS keys in its
 * settings.
 *
 * @throws GatewayError `upstream_unavailable` when the channel has neither.
 */
export async function signBedrockRequest(
  request: OutgoingRequest,
  context: SigningContext,
): Promise<OutgoingRequest> {
  const pause = context.pause ?? (() => Promise.resolve());
  const outgoing = await moveBetas(request, pause);
  const isStream = outgoing.headers.accept === 'text/event-stream';
  const headers: Record<string, string> = {
    ...outgoing.headers,
    ...omitUndefined({ accept: isStream ? 'application/vnd.amazon.eventstream' : undefined }),
  };
  if (context.apiKey !== undefined) {
    return { ...outgoing, headers: { ...headers, authorization: `Bearer ${context.apiKey}` } };
  }
  const signer = new AwsV4Signer({
    method: 'POST',
    url: outgoing.url.href,
    headers: { 'content-type': headers['content-type'] ?? 'application/json' },
    // Hashed on another thread, however large it is.
    body: needWhole(outgoing.body),
    ...readCredentials(context),
    service: SERVICE,
    region: String(context.settings.region),
    datetime: formatDate(context.nowMs),
    allHeaders: true,
  });
  const signed = await signer.sign();
  return { ...outgoing, headers: { ...headers, ...Object.fromEntries(signed.headers) } };
}

/** As signatures have it: `20150830T123600Z`. */
function formatDate(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

/** Betas go in the body here, and only those that Bedrock knows. */
async function moveBetas(request: OutgoingRequest, pause: () => Promise<void>): Promise<OutgoingRequest> {
  const { [BETA_HEADER]: header, ...headers } = request.headers;
  if (header === undefined) return request;
  const betas = filterPortableBetas(header);
  if (betas.length === 0) return { ...request, headers };
  const addBetas = (body: JsonObject) => ({ ...body, anthropic_beta: betas });
  return { ...request, headers, body: await rewriteInSlices(needWhole(request.body), addBetas, pause) };
}

/** A signature covers the whole body, and chats have theirs in memory. */
function needWhole(body: Buffer | StoredBytes): Buffer {
  if (!Buffer.isBuffer(body)) throw new TypeError('A body outside memory cannot be signed.');
  return body;
}

interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

function readCredentials({ settings }: SigningContext): AwsCredentials {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: token } = settings;
  if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string') {
    throw new GatewayError(
      'upstream_unavailable',
      'The Bedrock channel cannot be called: it has neither AWS keys nor an API key.',
    );
  }
  return omitUndefined({
    accessKeyId,
    secretAccessKey,
    sessionToken: typeof token === 'string' ? token : undefined,
  });
}
