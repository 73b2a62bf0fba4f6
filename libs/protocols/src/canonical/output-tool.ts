/**
 * Models without structured output, or without it beside tools, are made to answer in JSON by forcing them to call a tool: this
 * one, whose input is the answer and is given back as text, or one of the caller's.
 */
export const OUTPUT_TOOL = 'answer_in_json';

/** What the model reads of it where the caller has tools, too. */
export const OUTPUT_AFTER_TOOLS =
  'Gives the final answer. Call it once no other tool has to be called any more.';
