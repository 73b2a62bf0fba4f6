import { findMembers, type Replacement, replaceRanges } from '../splice-json.js';
import type { ResponsesEnvelope } from './read-envelope.js';

/** What the native lane may change in a request; everything else reaches the upstream byte for byte. */
export interface ResponsesEdits {
  /** The upstream's own name of the model. */
  readonly model: string;
  /** Cap on the answer that the caller's funds set, for callers who set none, in tokens. */
  readonly cap: number | undefined;
}

const CAP = 'max_output_tokens';

/** Edits the raw bytes of a request. Returns the very same buffer when nothing has to change. */
export function editResponsesRequest(
  body: Buffer,
  envelope: ResponsesEnvelope,
  edits: ResponsesEdits,
): Buffer {
  const rename = edits.model !== envelope.model;
  if (!rename && edits.cap === undefined) return body;
  const members = findMembers(body);
  const replacements: Replacement[] = [];
  const hasCap = members.some(({ key }) => key === CAP);
  if (edits.cap !== undefined && !hasCap) {
    const at = body.indexOf('{') + 1;
    replacements.push({ start: at, end: at, text: `"${CAP}":${edits.cap},` });
  }
  for (const { key, valueStart: start, valueEnd: end } of members) {
    if (rename && key === 'model') replacements.push({ start, end, text: JSON.stringify(edits.model) });
    else if (edits.cap !== undefined && key === CAP) replacements.push({ start, end, text: `${edits.cap}` });
  }
  return replaceRanges(body, replacements);
}
