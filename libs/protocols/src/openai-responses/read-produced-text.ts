import { readObject, readObjects } from '../canonical/read-fields.js';
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
export function readResponsesProducedText(answer: JsonObject): string {
  if (typeof answer.type === 'string') return readEventText(answer, answer.type);
  return readObjects(answer.output).map(readItemText).join('');
}

function readEventText(event: JsonObject, type: string): string {
  if (DELTAS.has(type)) return typeof event.delta === 'string' ? event.delta : '';
  const name = type === 'response.output_item.added' ? readObject(event.item)?.name : undefined;
  return typeof name === 'string' ? name : '';
}

/** Words of an item, in a request or an answer. */
export function readItemText(item: JsonObject): string {
  const texts = [item.name, item.arguments, item.input, item.content, item.output].filter(
    (value) => typeof value === 'string',
  );
  for (const part of [item.summary, item.content, item.output].flatMap(readObjects)) {
    const text = part.text ?? part.refusal;
    if (typeof text === 'string') texts.push(text);
  }
  return texts.join('');
}
