import { ANSWER_ROWS } from './answers.js';
import { CALL_ROWS } from './calls.js';
import { CONTENT } from './content.js';
import { ENDING_ROWS, USAGE_ROWS } from './endings.js';
import { OUTPUT_ROWS } from './output.js';
import type { AnswerRow, RequestRow } from './row.js';
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

/** All that an answer can say. */
export const ANSWER_SECTIONS: Readonly<Record<string, readonly AnswerRow[]>> = {
  'What answers hold': ANSWER_ROWS,
  'How answers end': ENDING_ROWS,
  'What answers cost': USAGE_ROWS,
};
