import { UpstreamFailure, type UpstreamFailureKind } from './upstream-call.js';

/** Error codes of undici and Node by what they mean for the call. Everything else happened after something was sent. */
const KINDS: Readonly<Record<string, UpstreamFailureKind>> = {
  ECONNREFUSED: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  ERR_TLS_CERT_ALTNAME_INVALID: 'unreachable',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unreachable',
  SELF_SIGNED_CERT_IN_CHAIN: 'unreachable',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unreachable',
  CERT_HAS_EXPIRED: 'unreachable',
  // The other side speaks no TLS, or none that we do: before the first byte of a request.
  ERR_SSL_WRONG_VERSION_NUMBER: 'unreachable',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'unreachable',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'unreachable',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'unreachable',
  // It speaks HTTP/2 alone.
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'unreachable',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};

const SENTENCES: Readonly<Record<UpstreamFailureKind, string>> = {
  unreachable: 'the upstream cannot be reached',
  timeout: 'the upstream did not answer in time',
  deadline: 'the stream of the upstream did not end in time',
  broken: 'the connection to the upstream broke',
  aborted: 'the call was ended by the gateway',
};

/** Classifies an error of the HTTP client. */
export function explainFailure(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new UpstreamFailure('timeout', SENTENCES.timeout);
  }
  const code = readCode(error);
  const kind = KINDS[code] ?? 'broken';
  return new UpstreamFailure(kind, `${SENTENCES[kind]}${code === '' ? '' : ` (${code})`}`);
}

/** The code of an error, or of the first of several when every address of a host failed. */
function readCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return readCode(error.errors[0]);
  return 'cause' in error ? readCode(error.cause) : '';
}
