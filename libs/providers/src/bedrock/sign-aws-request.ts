import { createHash, createHmac } from 'node:crypto';

const ALGORITHM = 'AWS4-HMAC-SHA256';

export interface AwsRequest {
  readonly method: string;
  /** As it is sent: its path already encoded. */
  readonly url: URL;
  /** All of these are signed, besides the host and the date. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

export interface AwsScope {
  readonly region: string;
  readonly service: string;
  readonly nowMs: number;
}

/**
 * Signs a request by AWS's Signature Version 4. Answers the headers to add.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signAwsRequest(
  request: AwsRequest,
  credentials: AwsCredentials,
  scope: AwsScope,
): Record<string, string> {
  const date = formatDate(scope.nowMs);
  const day = date.slice(0, 8);
  const added: Record<string, string> = {
    'x-amz-date': date,
    ...(credentials.sessionToken === undefined ? {} : { 'x-amz-security-token': credentials.sessionToken }),
  };
  const headers = canonicalHeaders({ ...request.headers, ...added, host: request.url.host });
  const names = headers.map(([name]) => name).join(';');
  const canonicalRequest = [
    request.method,
    canonicalPath(request.url.pathname),
    canonicalQuery(request.url.searchParams),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    hash(request.body),
  ].join('\n');
  const credentialScope = `${day}/${scope.region}/${scope.service}/aws4_request`;
  const toSign = [ALGORITHM, date, credentialScope, hash(canonicalRequest)].join('\n');
  const key = [day, scope.region, scope.service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString('hex');
  return {
    ...added,
    authorization: `${ALGORITHM} Credential=${credentials.accessKeyId}/${credentialScope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** `20150830T123600Z` */
function formatDate(nowMs: number): string {
  return new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

function canonicalHeaders(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replaceAll(/ +/g, ' ')])
    .sort(byName);
}

/** Every service but S3 wants the path, encoded as it is, encoded once more. */
function canonicalPath(pathname: string): string {
  return pathname.split('/').map(encode).join('/');
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort((a, b) => byName(a, b) || compare(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function byName(a: readonly [string, string], b: readonly [string, string]): number {
  return compare(a[0], b[0]);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** By RFC 3986: only letters, digits and `-._~` stay as they are. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: string | Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
