import { checkList, checkObjects, checkText } from '../canonical/check-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import { LONGEST_TYPE, MAX_PARTS } from './request-schema.js';
import { type GivenOption, MOST_TEXT, takeTextOptions, type TextOption } from './text-options.js';

/** An option with the text part that says it. */
export interface PlacedOption extends GivenOption {
  /** As `content[0].text`. */
  readonly param: string;
}

/** What the parts of a native order say. */
export interface NativeOrder {
  /** The parts without the options in their texts. */
  readonly content: readonly JsonObject[];
  readonly options: ReadonlyMap<TextOption, PlacedOption>;
  readonly sourceVideo: string | undefined;
}

/**
 * Reads the parts of a native order, and takes the options out of their texts.
 *
 * @throws GatewayError `invalid_request` naming the part, or the option that is set twice.
 */
export function readNativeContent(parsed: JsonObject): NativeOrder {
  const { length } = checkList(parsed, 'content');
  if (length === 0) refuseField('content', 'must be a non-empty array');
  if (length > MAX_PARTS) refuseField('content', `must hold at most ${MAX_PARTS} parts`);
  const parts = checkObjects(parsed, 'content');
  const characters = parts.reduce(
    (sum, { item: { text } }) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  );
  if (characters > MOST_TEXT) refuseField('content', `must hold texts of at most ${MOST_TEXT} characters`);
  const options = new Map<TextOption, PlacedOption>();
  const content = parts.flatMap(({ item, name }) => readPart(item, name, options));
  if (content.length === 0) refuseField('content', 'must say more than options');
  return { content, options, sourceVideo: parts.find(({ item }) => isVideo(item))?.name };
}

function readPart(part: JsonObject, name: string, options: Map<TextOption, PlacedOption>): JsonObject[] {
  if (typeof part.type !== 'string' || part.type === '') refuseField(`${name}.type`, 'must be a string');
  if (part.type.length > LONGEST_TYPE) {
    refuseField(`${name}.type`, `must hold at most ${LONGEST_TYPE} characters`);
  }
  if (/draft/i.test(part.type) || part.draft_task !== undefined) {
    refuseField(name, 'refers to a task whose length and price are not known here');
  }
  const said = checkText(part, 'text', name);
  if (part.type === 'text' && said === undefined) refuseField(`${name}.text`, 'must be a string');
  if (said === undefined) return [part];
  const param = `${name}.text`;
  const taken = takeTextOptions(said, param);
  for (const option of taken.options) {
    if (options.has(option.option)) refuseField(option.option, 'is said twice in the text');
    options.set(option.option, { ...option, param });
  }
  const hasOptionsOnly = taken.options.length > 0 && taken.text.trim() === '' && part.type === 'text';
  return hasOptionsOnly ? [] : [taken.options.length === 0 ? part : { ...part, text: taken.text }];
}

function isVideo(part: JsonObject): boolean {
  return /video/i.test(String(part.type)) || Object.keys(part).some((key) => /video/i.test(key));
}
