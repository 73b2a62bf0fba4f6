import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';

/**
 * Words of which a field's name is made when it decides how long, how large, how many or how good a video is: all of it
 * is set by the gateway's own fields, which are checked and charged.
 */
const PRICE_WORDS: ReadonlySet<string> = new Set(
  [
    'duration durations second seconds length frames fps framespersecond num number count counts batch samples',
    'resolution size width height quality tier mode model models upscale upscaler upscaling draft tools',
    'endpoint callback webhook priority video videos',
  ]
    .join(' ')
    .split(' '),
);

/** Names that do so as a whole, where one of their parts alone does not. */
const PRICE_NAMES: ReadonlySet<string> = new Set(
  'n framerate version prompt audio generateaudio enableaudio withaudio sound'.split(' '),
);

/**
 * Refuses fields of one provider that would decide on the price, however they are spelled and however deep they stand.
 *
 * @throws GatewayError `invalid_request` whose `param` names the first one.
 */
export function refusePriceFields(fields: JsonObject, path: string, reason: string): void {
  for (const [key, value] of Object.entries(fields)) {
    const name = path === '' ? key : `${path}.${key}`;
    if (decidesOnPrice(key)) refuseField(name, reason);
    for (const [index, item] of (Array.isArray(value) ? value : [value]).entries()) {
      if (isObject(item)) refusePriceFields(item, Array.isArray(value) ? `${name}[${index}]` : name, reason);
    }
  }
}

function decidesOnPrice(key: string): boolean {
  const words = splitWords(key);
  return PRICE_NAMES.has(words.join('')) || words.some((word) => PRICE_WORDS.has(word));
}

/** `durationSeconds`, `duration_seconds` and `DURATION-seconds` are the same two parts. */
function splitWords(key: string): string[] {
  return key
    .normalize('NFKC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
