import { StreamTap, type TapReader, containsAny } from '../framing/stream-tap.js';
import { isObject } from '../json.js';
import { listMessagesTexts } from './read-produced-text.js';
import { readEventUsage } from './read-usage.js';

const RUN_TOOL = /"type": ?"(?:server|mcp)_tool_use"/;

const READER: TapReader = {
  mayRunTool: (block) => RUN_TOOL.test(block),
  mayMatter: containsAny('"usage"', '"error"', 'message_stop'),
  readUsage: readEventUsage,
  readFault: (event) => (event.type === 'error' ? event : undefined),
  isEnd: (event) =>
    event.type === 'message_stop' || (isObject(event.delta) && typeof event.delta.stop_reason === 'string'),
  isLast: (_data, event) => event?.type === 'message_stop',
  listTexts: listMessagesTexts,
};

/** Reads along a messages stream that is forwarded as it is: every one reports usage, so nothing is withheld. */
export class MessagesStreamTap extends StreamTap {
  constructor() {
    super(READER);
  }
}
