import { isBlank } from '../canonical/blank-text.js';
import { checkModelName } from '../canonical/check-model.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { checkObject, checkText } from '../canonical/check-fields.js';
import { isTooDeep, refuseField } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import { limitOrder } from './limit-order.js';
import { readNativeContent } from './read-native-content.js';
import { readNativeFields } from './read-native-fields.js';
import { readCallbackUrl } from './read-callback-url.js';

/** A request of the native video API: what decides on the price is checked and explicit, the rest is as it came. */
export interface NativeVideoRequest {
  readonly model: string;
  /**
   * The body for the provider: the caller's without `callback_url`, which is ours to serve, and with every option that
   * stood in its texts as a field of its own. What is charged is what it says.
   */
  readonly body: JsonObject;
  /** Seconds to charge in advance. */
  readonly seconds: number;
  /** In lower case, such as `720p`. */
  readonly resolution: string | undefined;
  /** Place of the first source video, as `content[1]`: its length is part of what a provider charges. */
  readonly sourceVideo: string | undefined;
  readonly callbackUrl: string | undefined;
}

/**
 * Reads an order of the native video API. Members that decide neither on the price nor on who is notified reach the provider
 * unread, `false` and `0` among them.
 *
 * @see https://www.volcengine.com/docs/82379/1520757
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readNativeVideoRequest(raw: Buffer): NativeVideoRequest {
  const parsed = parseRequestBody(raw);
  limitOrder(parsed);
  if (isTooDeep(parsed)) refuseField('body', 'nests too deeply');
  const model = checkModelName(readModel(parsed));
  if (parsed.content === undefined && isInMetadata(parsed, 'content')) {
    refuseField('content', 'must stand at the top level of the body, not inside metadata');
  }
  const { content, options, sourceVideo } = readNativeContent(parsed);
  const { seconds, resolution, explicit } = readNativeFields(parsed, options);
  const { callback_url: _, ...rest } = parsed;
  const body = { ...rest, ...explicit, content };
  return { model, body, seconds, resolution, sourceVideo, callbackUrl: readCallbackUrl(parsed) };
}

/** Some clients put everything into `metadata`; the refusal names the right place. */
function readModel(parsed: JsonObject): string {
  const model = checkText(parsed, 'model');
  if (model !== undefined && !isBlank(model)) return model;
  if (isInMetadata(parsed, 'model')) {
    refuseField('model', 'must stand at the top level of the body, not inside metadata');
  }
  return refuseField('model', 'must be a non-empty string at the top level of the body');
}

function isInMetadata(parsed: JsonObject, key: string): boolean {
  const metadata = checkObject(parsed, 'metadata');
  return metadata !== undefined && metadata[key] !== undefined;
}
