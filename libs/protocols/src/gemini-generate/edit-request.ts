import type { StoredBytes } from '../exchange/stored-bytes.js';
import { refuseField } from '../canonical/refuse.js';
import { readObject } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import { editBody, editMembers, type Written } from '../splice-json.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import { scanBody } from '../strict-json/scanned-body.js';

/** The path names the model, by the upstream's own name, and the method says whether the answer is streamed. */
const NOT_SENT = ['model', 'stream'];
const CONFIG_NAMES = ['generationConfig', 'generation_config'];
const CACHED_NAMES = ['cachedContent', 'cached_content'];
const CAP_NAMES = ['maxOutputTokens', 'max_output_tokens'];
const OPEN_BRACE = 0x7b;
/** Read in one step; a schema in the configuration may have megabytes. */
const SMALL_BYTES = 64 * 1024;

/** What the native lane may change in a request; everything else reaches the upstream byte for byte. */
export interface GeminiEdits {
  /** Cap on the answer that the caller's funds set, for callers who set none, in tokens. */
  readonly cap: number | undefined;
  /** What the upstream calls the cached content that the request names. */
  readonly cachedContent?: string | undefined;
  /** What the body holds, for a cap in a large one. */
  readonly parsed?: JsonObject;
}

/**
 * Edits the raw bytes of a request: `stream` is the gateway's own addition to Google's body and goes. Returns the very
 * same buffer when nothing has to change.
 *
 * @param body bytes of an object whose `generationConfig`, if any, sets no `maxOutputTokens` when there is a cap.
 */
export function editGeminiRequest(body: Buffer, edits: GeminiEdits): Buffer | StoredBytes {
  const members = scanBody(body, GEMINI_NAMES);
  const changes = new Map<string, Written | undefined>();
  for (const { key } of members) if (NOT_SENT.includes(key)) changes.set(key, undefined);
  const cached = members.find(({ key }) => CACHED_NAMES.includes(key));
  if (edits.cachedContent !== undefined && cached) {
    changes.set(cached.key, JSON.stringify(edits.cachedContent));
  }
  if (edits.cap !== undefined) {
    const config = members.find(({ key }) => CONFIG_NAMES.includes(key));
    const value = config && body.subarray(config.valueStart, config.valueEnd);
    const name = config?.key ?? 'generationConfig';
    const isLarge = value !== undefined && value.length > SMALL_BYTES && value[0] === OPEN_BRACE;
    changes.set(
      name,
      isLarge
        ? capLargeConfig(value, readObject(edits.parsed?.[name]) ?? {}, edits.cap)
        : capConfig(value, edits.cap),
    );
  }
  return editBody(body, changes, GEMINI_NAMES);
}

/** A `null` that the caller wrote is replaced: beside our cap it would be the value that some readers take. */
function capConfig(config: Buffer | undefined, cap: number): string {
  if (config?.[0] !== OPEN_BRACE) return `{"maxOutputTokens":${cap}}`;
  const written = scanBody(config, GEMINI_NAMES).find(({ key }) => CAP_NAMES.includes(key));
  const changes = new Map([[written?.key ?? 'maxOutputTokens', String(cap)]]);
  return editMembers(config, changes, GEMINI_NAMES).toString('utf8');
}

/** @throws GatewayError `invalid_request` where the caller wrote a `null` that would have to be looked for. */
function capLargeConfig(config: Buffer, parsed: JsonObject, cap: number): readonly Buffer[] {
  const written = CAP_NAMES.find((name) => Object.hasOwn(parsed, name));
  if (written !== undefined) {
    refuseField(
      `generationConfig.${written}`,
      'must be left out, not null, of a configuration of this length',
    );
  }
  const end = Object.keys(parsed).length === 0 ? '' : ',';
  return [Buffer.from(`{"maxOutputTokens":${cap}${end}`), config.subarray(1)];
}
