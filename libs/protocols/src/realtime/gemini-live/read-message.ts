import { refuseField } from '../../canonical/refuse.js';
import { normaliseKeys } from '../../gemini-generate/normalise-keys.js';
import { isObject, type JsonObject } from '../../json.js';
import { LIVE_NAMES } from '../../strict-json/known-names.js';
import { parseClientMessage, parseLongClientMessage } from '../parse-client-message.js';

/** Lists within lists are no content. */
const DEEPEST = 8;

/**
 * Parses a message of a client, in which every name has one meaning. Names are in camelCase then; Google reads both.
 *
 * @throws GatewayError `invalid_request` for what two readers could read differently.
 */
export function parseLiveMessage(message: Buffer): JsonObject {
  return normaliseKeys(parseClientMessage(message, LIVE_NAMES));
}

/** Parses a long message in steps, for {@link parseLiveMessage}. @throws GatewayError `invalid_request` */
export function parseLongLiveMessage(message: Buffer, pause: () => Promise<void>): Promise<void> {
  return parseLongClientMessage(message, LIVE_NAMES, pause);
}

/** @param place that the members stand in, with a dot at its end; empty at the top. @throws GatewayError `invalid_request` */
export function refuseUnknown(
  place: string,
  members: JsonObject,
  known: ReadonlySet<string>,
  problem = 'is not known',
): void {
  const other = Object.keys(members).find((name) => !known.has(name));
  if (other !== undefined) refuseField(`${place}${other}`, problem);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parts of content, by the place where each stands: of a content, of a list of them, or of the result of a function. */
function listParts(place: string, value: unknown, depth = 0): readonly (readonly [string, JsonObject])[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => listParts(`${place}[${index}]`, item, depth + 1));
  }
  if (!isObject(value)) return [];
  const inner = ['parts', 'functionResponse', 'toolResponse'].flatMap((name) =>
    name in value ? listParts(`${place}.${name}`, value[name], depth + 1) : [],
  );
  return [[place, value], ...inner];
}

/** Files lie with the provider, where whoever uses the channel's account may have put them. @throws GatewayError `invalid_request` */
export function refuseFiles(place: string, content: unknown): void {
  for (const [at, part] of listParts(place, content)) {
    if (part.fileData !== undefined) {
      refuseField(`${at}.fileData`, 'is kept in an account of the provider: send its content as inlineData');
    }
  }
}

/** The first part of content that is an image or a video. */
export function findImage(place: string, content: unknown): string | undefined {
  const found = listParts(place, content).find(([, { inlineData }]) => isSeen(inlineData));
  return found && `${found[0]}.inlineData`;
}

/** Whether a blob is to be looked at; what says nothing of itself may be. */
export function isSeen(blob: unknown): boolean {
  if (!isObject(blob)) return false;
  const { mimeType } = blob;
  return typeof mimeType !== 'string' || !/^(?:audio|text)\//i.test(mimeType);
}
