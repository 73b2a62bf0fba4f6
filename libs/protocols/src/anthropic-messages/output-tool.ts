/**
 * Models without structured output are made to answer in JSON by forcing them to call this tool; its input is the
 * answer, which is given back as text.
 */
export const OUTPUT_TOOL = 'answer_in_json';
