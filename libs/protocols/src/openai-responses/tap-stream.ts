import { readObject } from '../canonical/read-fields.js';
import { StreamTap, type TapReader, containsAny } from '../framing/stream-tap.js';
import { listResponsesTexts } from './read-produced-text.js';
import { readResponseUsage } from './read-usage.js';

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled']);

/** An item or event of a call that is none of the caller's: `web_search_call`, `response.mcp_call.in_progress`. */
const RUN_TOOL = /"(?:response\.)?(?!function_call|custom_tool_call)[a-z_]+_call[".]/;

const READER: TapReader = {
  mayRunTool: (block) => RUN_TOOL.test(block),
  mayMatter: containsAny('"usage"', '"error"', '"response"'),
  readUsage: (event) => readResponseUsage(readObject(event.response) ?? {}),
  readFault: (event) => (event.type === 'error' || event.type === 'response.failed' ? event : undefined),
  isEnd: (event) => typeof event.type === 'string' && ENDS.has(event.type),
  isLast: (_data, event) => typeof event?.type === 'string' && ENDS.has(event.type),
  listTexts: listResponsesTexts,
};

/** Reads along a stream of the Responses API that is forwarded as it is. */
export class ResponsesStreamTap extends StreamTap {
  constructor() {
    super(READER);
  }
}
