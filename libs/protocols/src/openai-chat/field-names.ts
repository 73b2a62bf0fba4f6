/** What clients call the settings that encoders name as OpenAI's chat does. */
export const fieldNames: Readonly<Record<string, string>> = {
  thinking: 'reasoning_effort',
  'messages.thinking': 'messages.reasoning_content',
  'response_format.schema': 'response_format.json_schema.schema',
};
