import { readObject, readObjects, readText } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** The text of an answer, reasoning and arguments included: what a tokenizer counts where usage is missing. */
export function readConverseProducedText(answer: JsonObject): string {
  const message = readObject(readObject(answer.output)?.message);
  return readObjects(message?.content).map(readBlockText).join('');
}

function readBlockText(block: JsonObject): string {
  const call = readObject(block.toolUse);
  if (call) return `${readText(call.name) ?? ''}${JSON.stringify(call.input ?? {})}`;
  const thought = readObject(readObject(block.reasoningContent)?.reasoningText);
  const cited = readObjects(readObject(block.citationsContent)?.content).map(
    (part) => readText(part.text) ?? '',
  );
  return readText(block.text) ?? readText(thought?.text) ?? cited.join('');
}
