import type { UpstreamError } from '@mg/protocols';

/** Whom a refusal of an upstream is about. */
export type Blame =
  /** What the caller sent, or something of theirs that the request names. */
  | 'caller'
  /** The channel: its model, its deployment, its address. */
  | 'channel'
  /** Our credential. */
  | 'key';

/** The upstream found fault with what the caller sent. */
const OF_THE_REQUEST = new Set([400, 413, 422]);
const OF_THE_KEY = new Set([401, 402, 403]);
/** Of the connection, the path and the method, none of which callers choose; 408 is a time limit. */
const OF_THE_PATH = new Set([405, 407, 408, 421, 426]);
const NOT_FOUND = 404;
const LOWEST_ERROR = 400;
const FAILED = 500;

/** How providers name an unknown model or deployment, and an unknown path. */
const CHANNEL_CODES: ReadonlySet<string> = new Set([
  'model_not_found',
  'model_not_available',
  'DeploymentNotFound',
  'unknown_url',
]);
/** Behind the first of these stands a name, which may be in the words of the caller. */
const NAMES_BEGIN = /['"`“‘[(]|: ?/;
/** "The model", "Not found the model", "models/gemini-x is not found for ..". */
const NAMES_MODEL = /^(?:[\w-]+ ){0,5}(?:model|deployment)s?\b/i;
const IS_GONE =
  /\b(?:found|exist|resolve|access|available|unavailable|inaccessible|legacy|deprecated|retired|decommissioned|no longer|timed out)\b/i;
/** Anthropic says no more than `model: claude-x`. */
const MODEL_ALONE = /^model: [^ ]+$/i;
const NO_PATH =
  /^(?:404 )?(?:(?:page|path|route|resource) )?not found\.?$|^(?:invalid|unknown|unrecognized) (?:request )?(?:url|path)\b|^no (?:route matched|endpoints found for)\b|\brequested (?:url|path) was not found\b/i;
/** AWS says this with 424 when a model fails. */
const FAILED_ITSELF = /^the system encountered an unexpected error\b/i;
/** What the request names may not be read, which says nothing of our account: "access the File abc", no "api.files.read". */
const OF_A_RESOURCE =
  /(?<![.\w])(?:files?(?! api)|cached ?contents?|vector[ _]stores?|containers?|buckets?|cloud storage|storage\.objects\.get|gs:|s3:)(?!\.?\w)|\b(?:gs|s3):\/\//i;

/**
 * Whom an answer with a failing status is about. A caller who names a file, a tool's server or a response that the
 * upstream does not have, or may not read, must not have a channel or a key left out for everybody. So nothing is the
 * channel's unless the upstream says so, in words that stand before any name that a caller may have chosen.
 */
export function findBlame(status: number, { message = '', param, code }: UpstreamError): Blame {
  if (status < LOWEST_ERROR || status >= FAILED) return 'channel';
  if (OF_THE_REQUEST.has(status)) return 'caller';
  if (OF_THE_KEY.has(status)) return OF_A_RESOURCE.test(message) ? 'caller' : 'key';
  if (OF_THE_PATH.has(status) || message.trim() === '') return 'channel';
  if (param === 'model' || CHANNEL_CODES.has(code ?? '') || isAboutChannel(status, message)) return 'channel';
  return 'caller';
}

function isAboutChannel(status: number, message: string): boolean {
  if (MODEL_ALONE.test(message) || FAILED_ITSELF.test(message)) return true;
  const [beforeNames = ''] = message.split(NAMES_BEGIN, 1);
  if (NAMES_MODEL.test(beforeNames) && IS_GONE.test(message)) return true;
  return status === NOT_FOUND && NO_PATH.test(message);
}
