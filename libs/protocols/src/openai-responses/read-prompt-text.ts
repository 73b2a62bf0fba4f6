import { readObjects } from '../canonical/read-fields.js';
import { textOfJson } from '../canonical/text-of-json.js';
import type { JsonObject } from '../json.js';
import { readItemText } from './read-produced-text.js';

/** The text of a request that a tokenizer counts where the upstream reported no usage: instructions, input, tools. */
export function readResponsesPromptText(request: JsonObject): string {
  const parts: string[] = [];
  if (typeof request.instructions === 'string') parts.push(request.instructions);
  if (typeof request.input === 'string') parts.push(request.input);
  for (const item of readObjects(request.input)) {
    if (typeof item.role === 'string') parts.push(item.role);
    parts.push(readItemText(item));
  }
  if (Array.isArray(request.tools)) parts.push(textOfJson(request.tools));
  return parts.join('\n');
}
