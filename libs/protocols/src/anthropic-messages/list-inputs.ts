import { readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** The arguments of the calls of a request. */
export function listMessagesInputs({ messages }: JsonObject): readonly JsonObject[] {
  const blocks = readObjects(messages).flatMap(({ content }) => readObjects(content));
  return blocks.flatMap(({ input }) => readObjects([input]));
}

/** The same of an answer. */
export function listAnswerInputs(answer: JsonObject): readonly JsonObject[] {
  return listMessagesInputs({ messages: [answer] });
}
