import { omitUndefined } from '@mg/contract';
import { readFlag, readNumber, readObject, readText } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** As OpenAI bounds what it keeps with a response: longer values are not repeated. */
const MAX_TEXT = 512;
const MAX_METADATA = 16;

/**
 * Settings of a request that its response repeats, as OpenAI's does: those that are short. Instructions, tools and schemas, which
 * each event of a response would hold again, are not.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/object
 */
export function readRepeatedSettings(request: JsonObject): JsonObject {
  const { effort, summary } = readObject(request.reasoning) ?? {};
  return omitUndefined({
    max_output_tokens: readNumber(request.max_output_tokens),
    metadata: readMetadata(request.metadata),
    parallel_tool_calls: readFlag(request.parallel_tool_calls),
    reasoning: { effort: readShortText(effort) ?? null, summary: readShortText(summary) ?? null },
    temperature: readNumber(request.temperature),
    tool_choice: readShortText(request.tool_choice),
    top_p: readNumber(request.top_p),
    truncation: readShortText(request.truncation),
    user: readShortText(request.user),
  });
}

function readShortText(value: unknown): string | undefined {
  const text = readText(value);
  return text !== undefined && text.length <= MAX_TEXT ? text : undefined;
}

function readMetadata(value: unknown): JsonObject | undefined {
  const metadata = readObject(value);
  if (!metadata) return undefined;
  const members = Object.entries(metadata);
  const isShort = members.every(
    ([name, text]) => name.length <= MAX_TEXT && readShortText(text) !== undefined,
  );
  return members.length <= MAX_METADATA && isShort ? metadata : undefined;
}
