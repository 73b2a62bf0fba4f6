import { CALL_ROWS } from './calls.js';
import { CONTENT } from './content.js';
import { OUTPUT_ROWS } from './output.js';
import type { RequestRow } from './row.js';
import { SETTING_ROWS } from './settings.js';
import { THINKING_ROWS } from './thinking.js';
import { TOOL_ROWS } from './tools.js';
import { TURNS } from './turns.js';

/** All that a request can say, by what it is about. */
export const REQUEST_SECTIONS: Readonly<Record<string, readonly RequestRow[]>> = {
  Turns: TURNS,
  Content: CONTENT,
  Tools: TOOL_ROWS,
  'Calls and results': CALL_ROWS,
  Thinking: THINKING_ROWS,
  Settings: SETTING_ROWS,
  'JSON and tools of the provider': OUTPUT_ROWS,
};
