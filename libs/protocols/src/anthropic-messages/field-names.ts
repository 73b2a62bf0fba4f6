/** What clients call the settings that encoders name as OpenAI's chat does. */
export const fieldNames: Readonly<Record<string, string>> = {
  stop: 'stop_sequences',
  user: 'metadata.user_id',
  parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
  response_format: 'output_config.format',
  filename: 'title',
};
