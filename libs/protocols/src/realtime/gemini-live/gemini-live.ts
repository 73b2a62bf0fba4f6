import type { GatewayError } from '@mg/contract';
import type { AudioRates, SessionClose, SessionProtocol } from '../session-protocol.js';
import { LiveReader } from './live-reader.js';
import { readLiveClient } from './read-client.js';
import { parseLongLiveMessage } from './read-message.js';

/** Audio is a token for each 40 ms: 16,000 samples of two bytes are heard in a second, 24,000 are said. */
const AUDIO: AudioRates = { heardBytes: 32_000, heardTokens: 25, saidBytes: 48_000, saidTokens: 25 };

/** Codes of RFC 6455, section 7.4.1. */
const INVALID = 1007;
const POLICY = 1008;
const FAILED = 1011;
const TRY_AGAIN = 1013;
/** Codes by which Google says what was wrong with what it was sent, or with who sent it. */
const SAYS_WHY: ReadonlySet<number> = new Set([INVALID, POLICY, FAILED]);

/**
 * Google's Live API. It has no event for errors: each ends the session, with its message as the reason.
 *
 * @see https://ai.google.dev/api/live
 */
export const geminiLive: SessionProtocol = {
  name: 'gemini-live',
  title: "Google's Live API",
  answersAnything: true,
  audio: AUDIO,
  parseLongClientEvent: parseLongLiveMessage,
  readClientEvent: (message) => readLiveClient(message),
  openReader: (upstreamModel) => new LiveReader(AUDIO, upstreamModel),
  // Content interrupts the model; without `turnComplete` nothing is answered.
  renderCancel: () => JSON.stringify({ clientContent: { turnComplete: false } }),
  renderError: () => undefined,
  renderGoingAway: () => JSON.stringify({ goAway: { timeLeft: '0s' } }),
  renderClose: (error) => ({ code: codeOf(error), reason: `${error.code}: ${error.message}` }),
  statusOfClose,
};

function codeOf({ status, code }: GatewayError): number {
  if (code === 'rate_limited' || code === 'upstream_unavailable') return TRY_AGAIN;
  if (code === 'invalid_request') return INVALID;
  return status < 500 ? POLICY : FAILED;
}

/** How Google begins to say what is wrong with the account, at the front, where no text of the client's can stand. */
const LIMITED = /^(?:you exceeded your current quota|resource (?:has been )?exhausted)/i;
const CREDENTIAL =
  /^(?:(?:your )?api key|permission denied|request had invalid authentication|method doesn't allow unregistered)/i;
const NO_MODEL = /^models\/\S+ is not found for API version/;

/** Google names the trouble with an account by the same codes as that with a message. */
function statusOfClose({ code, reason }: SessionClose): number | undefined {
  if (!SAYS_WHY.has(code) || reason === '') return undefined;
  if (LIMITED.test(reason)) return 429;
  if (CREDENTIAL.test(reason)) return 401;
  if (code === FAILED) return undefined;
  return NO_MODEL.test(reason) ? 404 : 400;
}
