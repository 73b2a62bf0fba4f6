import { limitAnswer } from '../canonical/limit-items.js';
import { readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import { countMessageItems } from './count-items.js';

/** The arguments of the calls of a request. */
export function listMessagesInputs({ messages }: JsonObject): readonly JsonObject[] {
  const blocks = readObjects(messages).flatMap(({ content }) => readObjects(content));
  return blocks.flatMap(({ input }) => readObjects([input]));
}

/** The same of an answer. @throws GatewayError `upstream_error` where it holds more than is converted. */
export function listAnswerInputs(answer: JsonObject): readonly JsonObject[] {
  limitAnswer(countMessageItems(answer));
  return listMessagesInputs({ messages: [answer] });
}
