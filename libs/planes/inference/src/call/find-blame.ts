import type { UpstreamError } from '@mg/protocols';

/** Whom a refusal of an upstream is about. */
export type Blame =
  /** What the caller sent, or something of theirs that the request names. */
  | 'caller'
  /** The channel: its model, its deployment, its address. */
  | 'channel'
  /** Our credential. */
  | 'key';

/** The upstream found fault with what the caller sent, and every channel would. */
export const OF_THE_REQUEST: ReadonlySet<number> = new Set([400, 413, 422]);
const OF_THE_KEY = new Set([401, 402, 403]);
/** Of the connection, the path and the method, none of which callers choose; 408 is a time limit. */
const OF_THE_PATH = new Set([405, 407, 408, 421, 426]);
/** Something is not there, or no longer, or failed: the model, the path, or what the request names. */
const OF_SOMETHING_MISSING = new Set([404, 410, 424]);
const LOWEST_ERROR = 400;
const FAILED = 500;

/** @see https://ai.google.dev/gemini-api/docs/troubleshooting a wrong key is a 400 there */
const WRONG_KEY = 'API_KEY_INVALID';
/** How providers name an unknown model or deployment, one that the account may not use, and an unknown path. */
const CHANNEL_CODES: ReadonlySet<string> = new Set([
  'model_not_found',
  'model_not_available',
  'DeploymentNotFound',
  'ModelNotOpen',
  'InvalidEndpointOrModel.NotFound',
  'unknown_url',
]);
/** Behind the first of these stands a name, which may be in the words of the caller. */
const NAMES_BEGIN = /['"`“‘[(]|: ?/;
/** "The model", "Not found the model", "models/gemini-x is not found for ..". */
const NAMES_MODEL = /^(?:[\w-]+ ){0,5}(?:model|deployment)s?\b/i;
const IS_GONE =
  /\b(?:found|exist|resolve|access|available|unavailable|inaccessible|legacy|deprecated|retired|decommissioned|no longer|timed out)\b/i;
/** What the request names may not be read, which says nothing of our account: "access the File abc", no "api.files.read". */
const OF_A_RESOURCE =
  /(?<![.\w]|\/v\d\w*\/)(?:files?(?! api)|cached ?contents?|vector[ _]stores?|containers?(?! app)|buckets?|cloud storage|storage\.objects\.get|gs:|s3:)(?!\.?\w)|\b(?:gs|s3):\/\//i;
/** What else a request can name that may not be there. No part of a path or of a model's name: "/v1/responses", "x-image". */
const MAY_BE_MISSING =
  /(?<![\w./-])(?:(?:previous[ _])?responses?(?= (?:with|ids?|not|of this|['"`])|_id)|(?:items?|conversations?|prompts?|skills?|voices?|tools?|mcp|connectors?|images?|videos?|audio|file ?search ?stores?|data ?stores?|rag ?corp(?:us|ora)|such object|specified key)(?![\w-]| (?:apis?|endpoints?|generations?|edits?|models?|routes?|services?)\b))/i;
const NOT_FETCHED = /\b(?:download|fetch|retrieve|load)(?:ing|ed)? [^.]{0,40}(?:https?:\/\/|\burls?\b)/i;
/** What the model, or this endpoint of it, cannot do: others of its calls are served. */
const NOT_ABLE = /^no endpoints found that (?:support|can)\b|\b(?:only|not) supported in\b/i;

/**
 * Whom an answer with a failing status is about. A caller who names a file, a tool's server or a response that the
 * upstream does not have, or may not read, must not have a channel or a key left out for everybody; and what an upstream
 * says of the account or the address of a channel is not for callers to read. So where something is missing it is the
 * caller's only if the words, or the field, are about what a request can carry.
 */
export function findBlame(status: number, { message = '', param, code = '' }: UpstreamError): Blame {
  if (status < LOWEST_ERROR || status >= FAILED) return 'channel';
  if (OF_THE_REQUEST.has(status)) return code === WRONG_KEY ? 'key' : 'caller';
  if (OF_THE_KEY.has(status)) return OF_A_RESOURCE.test(message) ? 'caller' : 'key';
  if (OF_THE_PATH.has(status) || message.trim() === '') return 'channel';
  if (param === 'model' || CHANNEL_CODES.has(code) || isAboutModel(message)) return 'channel';
  if (!OF_SOMETHING_MISSING.has(status)) return 'caller';
  return isSet(param) || isAboutRequest(message) ? 'caller' : 'channel';
}

/** By words that stand before any name. */
function isAboutModel(message: string): boolean {
  const [beforeNames = ''] = message.split(NAMES_BEGIN, 1);
  return NAMES_MODEL.test(beforeNames) && IS_GONE.test(message);
}

function isAboutRequest(message: string): boolean {
  return [OF_A_RESOURCE, MAY_BE_MISSING, NOT_FETCHED, NOT_ABLE].some((words) => words.test(message));
}

function isSet(param: string | undefined): boolean {
  return param !== undefined && param !== '';
}
