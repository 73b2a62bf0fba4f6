import { isStorableText, UNSTORABLE_RULE } from '@mg/contract';
import { checkText } from '../canonical/check-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';

const MAX_LENGTH = 2_048;

/** The address that is called at a task's end. Whether it may be called is found out when it is. @throws GatewayError */
export function readCallbackUrl(parsed: JsonObject): string | undefined {
  const text = checkText(parsed, 'callback_url');
  if (text === undefined || text === '') return undefined;
  if (text.length > MAX_LENGTH) refuseField('callback_url', `must hold at most ${MAX_LENGTH} characters`);
  // Kept as the caller wrote it; a URL's parser would drop or escape what cannot be kept.
  if (!isStorableText(text)) refuseField('callback_url', UNSTORABLE_RULE);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return refuseField('callback_url', 'must be an https URL');
  if (url.username !== '' || url.password !== '') {
    refuseField('callback_url', 'must not hold a user name or password');
  }
  return text;
}
