import { GatewayError } from '@mg/contract';
import type { JsonObject, StoredBytes } from '@mg/protocols';
import { BETA_HEADER, listBetasAbroad } from '../claude-betas.js';
import type { OutgoingRequest, SigningContext } from '../signing.js';
import { type AwsCredentials, signAwsRequest } from './sign-aws-request.js';

const SERVICE = 'bedrock';

/**
 * Authorises a finished request: by the channel's API key where it has one, else by a signature of the AWS keys in its
 * settings.
 *
 * @throws GatewayError `upstream_unavailable` when the channel has neither.
 */
export function signBedrockRequest(request: OutgoingRequest, context: SigningContext): OutgoingRequest {
  const told = moveBetas(request);
  const isStream = told.headers.accept === 'text/event-stream';
  const headers: Record<string, string> = {
    ...told.headers,
    ...(isStream ? { accept: 'application/vnd.amazon.eventstream' } : {}),
  };
  if (context.apiKey !== undefined) {
    return { ...told, headers: { ...headers, authorization: `Bearer ${context.apiKey}` } };
  }
  const signature = signAwsRequest(
    {
      method: 'POST',
      url: told.url,
      headers: { 'content-type': headers['content-type'] ?? 'application/json' },
      body: needWhole(told.body),
    },
    readCredentials(context),
    { region: String(context.settings.region), service: SERVICE, nowMs: context.nowMs },
  );
  return { ...told, headers: { ...headers, ...signature } };
}

/** Betas go in the body here, and only those that Bedrock knows. */
function moveBetas(request: OutgoingRequest): OutgoingRequest {
  const { [BETA_HEADER]: header, ...headers } = request.headers;
  if (header === undefined) return request;
  const betas = listBetasAbroad(header);
  if (betas.length === 0) return { ...request, headers };
  const body = JSON.parse(needWhole(request.body).toString('utf8')) as JsonObject;
  return { ...request, headers, body: Buffer.from(JSON.stringify({ ...body, anthropic_beta: betas })) };
}

/** A signature covers the whole body, and chats have theirs in memory. */
function needWhole(body: Buffer | StoredBytes): Buffer {
  if (!Buffer.isBuffer(body)) throw new TypeError('A body outside memory cannot be signed.');
  return body;
}

function readCredentials({ settings }: SigningContext): AwsCredentials {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: token } = settings;
  if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string') {
    throw new GatewayError(
      'upstream_unavailable',
      'The Bedrock channel cannot be called: it has neither AWS keys nor an API key.',
    );
  }
  return { accessKeyId, secretAccessKey, sessionToken: typeof token === 'string' ? token : undefined };
}
