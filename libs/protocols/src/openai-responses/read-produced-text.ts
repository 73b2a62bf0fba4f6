import { readList, readObject, readText } from '../canonical/read-fields.js';
import type { TextPieces } from '../canonical/text-pieces.js';
import type { JsonObject } from '../json.js';

/** Events whose `delta` is text that the model wrote. */
const DELTAS = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
  'response.mcp_call_arguments.delta',
  'response.code_interpreter_call_code.delta',
]);

/** The text that an event or a whole response carries: what a tokenizer counts where usage is missing. */
export function listResponsesTexts(answer: JsonObject): TextPieces {
  return typeof answer.type === 'string'
    ? [readEventText(answer, answer.type)]
    : listOutputTexts(readList(answer.output));
}

function* listOutputTexts(output: readonly unknown[]): TextPieces {
  for (const item of output) yield* listItemTexts(readObject(item) ?? {});
}

function readEventText(event: JsonObject, type: string): string {
  if (DELTAS.has(type)) return readText(event.delta) ?? '';
  const name = type === 'response.output_item.added' ? readObject(event.item)?.name : undefined;
  return readText(name) ?? '';
}

/** Words of an item, in a request or an answer. */
export function* listItemTexts({
  name,
  arguments: args,
  input,
  summary,
  content,
  output,
}: JsonObject): TextPieces {
  for (const value of [name, args, input, content, output]) yield readText(value) ?? '';
  for (const list of [summary, content, output]) {
    for (const part of readList(list)) {
      const { text, refusal } = readObject(part) ?? {};
      yield readText(text ?? refusal) ?? '';
    }
  }
}
