import { omitUndefined } from '@mg/contract';
import type { TextPieces } from '../canonical/text-pieces.js';
import { StreamTap, type TapReader } from '../framing/stream-tap.js';
import { isObject, type JsonObject } from '../json.js';
import { readPlainChunkText, listChatTexts } from './read-produced-text.js';
import { readChunkUsage } from './read-usage.js';

const DONE = '[DONE]';
/**
 * The end, in one of two forms since look-alikes leave one out, usage, or an error. Providers repeat `"usage":null` on
 * every event. One pass: every chunk of every stream is searched.
 */
const RELEVANT = /\[DONE\]|"finish_reason": ?"|"(?:usage|error)"[ :]*[^ :n]/;

const READER: TapReader = {
  listTexts: listChatTexts,
  readPlainText: readPlainChunkText,
  mayMatter: (block) => RELEVANT.test(block),
  readUsage: readChunkUsage,
  readFault: (chunk) => (chunk.error !== undefined && chunk.error !== null ? chunk : undefined),
  isEnd: ({ choices }) =>
    Array.isArray(choices) &&
    choices.some((choice) => isObject(choice) && typeof choice.finish_reason === 'string'),
  isLast: (data) => data === DONE,
};

export interface ChatTapOptions {
  /** Whether usage is what the gateway asked for and the client did not. */
  readonly withholdUsage: boolean;
  /** The text of a chunk, where it is not that of a chat's deltas. */
  readonly listTexts?: (chunk: JsonObject) => TextPieces;
}

/**
 * Reads along a chat stream that is forwarded as it is; withholds the usage event that the gateway asked for and the
 * client did not.
 */
export class ChatStreamTap extends StreamTap {
  constructor({ withholdUsage, listTexts }: ChatTapOptions) {
    super({
      ...READER,
      ...omitUndefined({
        listTexts,
        readPlainText: listTexts ? () => undefined : undefined,
        isWithheld: withholdUsage ? isUsageOnly : undefined,
      }),
    });
  }
}

/** The event that `stream_options.include_usage` adds: usage and no choice. */
function isUsageOnly(chunk: JsonObject): boolean {
  return Array.isArray(chunk.choices) && chunk.choices.length === 0 && readChunkUsage(chunk) !== undefined;
}
