import { findMembers, type Replacement, replaceRanges } from '../splice-json.js';
import { isObject } from '../json.js';
import type { ChatEnvelope } from './read-envelope.js';

/** What the native lane may change in a request; everything else reaches the upstream byte for byte. */
export interface ChatEdits {
  /** The upstream's own name of the model. */
  readonly model: string;
  /** Ask the stream to report usage. */
  readonly forceUsage: boolean;
  /** Cap on the answer that the caller's funds set, for callers who set none. */
  readonly cap: { readonly field: string; readonly tokens: number } | undefined;
}

/** Edits the raw bytes of a request. Returns the very same buffer when nothing has to change. */
export function editChatRequest(body: Buffer, envelope: ChatEnvelope, edits: ChatEdits): Buffer {
  const rename = edits.model !== envelope.model;
  if (!rename && !edits.forceUsage && edits.cap === undefined) return body;

  const members = findMembers(body);
  const replacements: Replacement[] = [];
  const added: string[] = [];
  if (edits.cap) added.push(`${JSON.stringify(edits.cap.field)}:${edits.cap.tokens}`);
  if (edits.forceUsage && !members.some((member) => member.key === 'stream_options')) {
    added.push('"stream_options":{"include_usage":true}');
  }
  if (added.length > 0) {
    const at = body.indexOf('{') + 1;
    replacements.push({ start: at, end: at, text: `${added.join(',')},` });
  }
  for (const { key, valueStart, valueEnd } of members) {
    if (rename && key === 'model') {
      replacements.push({ start: valueStart, end: valueEnd, text: JSON.stringify(edits.model) });
    } else if (edits.forceUsage && key === 'stream_options') {
      replacements.push({
        start: valueStart,
        end: valueEnd,
        text: withUsage(envelope.parsed.stream_options),
      });
    }
  }
  return replaceRanges(body, replacements);
}

function withUsage(options: unknown): string {
  return JSON.stringify({ ...(isObject(options) ? options : {}), include_usage: true });
}
