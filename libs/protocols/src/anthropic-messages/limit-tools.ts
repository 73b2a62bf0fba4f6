import { readObjects } from '../canonical/read-fields.js';
import { type JsonObject, parseJson } from '../json.js';
import { editMembers } from '../splice-json.js';
import { scanBody } from '../strict-json/scanned-body.js';

const LIMITED = /^web_(?:search|fetch)_/;

/** Limits the tools that the provider runs where the request does not: what was held for the call covers so many uses. */
export function limitMessagesTools(body: Buffer, parsed: JsonObject, uses: number): Buffer {
  if (!readObjects(parsed.tools).some(isOpen)) return body;
  const span = scanBody(body).find(({ key }) => key === 'tools');
  if (!span) return body;
  const tools = readObjects(parseJson(body.toString('utf8', span.valueStart, span.valueEnd)));
  const limited = tools.map((tool) => (isOpen(tool) ? { ...tool, max_uses: uses } : tool));
  return editMembers(body, new Map([['tools', JSON.stringify(limited)]]));
}

function isOpen({ type, max_uses: limit }: JsonObject): boolean {
  return typeof type === 'string' && LIMITED.test(type) && (limit === undefined || limit === null);
}
