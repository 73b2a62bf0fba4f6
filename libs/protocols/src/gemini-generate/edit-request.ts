import { findMembers, replaceRanges } from '../splice-json.js';

/** What the native lane may change in a request; everything else reaches the upstream byte for byte. */
export interface GeminiEdits {
  /** Cap on the answer that the caller's funds set, for callers who set none, in tokens. */
  readonly cap: number | undefined;
}

/**
 * Edits the raw bytes of a request: `stream` is the gateway's own addition to Google's body and goes. Returns the very
 * same buffer when nothing has to change.
 *
 * @param body bytes of an object whose `generationConfig`, if any, sets no `maxOutputTokens` when there is a cap.
 */
export function editGeminiRequest(body: Buffer, edits: GeminiEdits): Buffer {
  const stripped = stripStream(body);
  return edits.cap === undefined ? stripped : capAnswer(stripped, edits.cap);
}

/** The body without its `stream`: the other members in their order, each value byte for byte. */
function stripStream(body: Buffer): Buffer {
  const members = findMembers(body);
  if (!members.some(({ key }) => key === 'stream')) return body;
  const kept = members.filter(({ key }) => key !== 'stream');
  const parts = kept.flatMap(({ key, valueStart, valueEnd }, index) => [
    Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(key)}:`),
    body.subarray(valueStart, valueEnd),
  ]);
  return Buffer.concat([Buffer.from('{'), ...parts, Buffer.from('}')]);
}

function capAnswer(body: Buffer, cap: number): Buffer {
  const members = findMembers(body);
  const text = `"maxOutputTokens":${cap}`;
  const config = members.find(({ key }) => key === 'generationConfig' || key === 'generation_config');
  if (!config) {
    const at = body.indexOf('{') + 1;
    const added = `"generationConfig":{${text}}${members.length === 0 ? '' : ','}`;
    return replaceRanges(body, [{ start: at, end: at, text: added }]);
  }
  const value = body.subarray(config.valueStart, config.valueEnd);
  if (!value.toString('utf8', 0, 1).startsWith('{')) {
    return replaceRanges(body, [{ start: config.valueStart, end: config.valueEnd, text: `{${text}}` }]);
  }
  const at = config.valueStart + 1;
  const isEmpty = findMembers(value).length === 0;
  return replaceRanges(body, [{ start: at, end: at, text: isEmpty ? text : `${text},` }]);
}
