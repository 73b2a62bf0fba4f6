/** What clients call the settings that encoders name as OpenAI's chat does. */
export const fieldNames: Readonly<Record<string, string>> = {
  max_tokens: 'max_output_tokens',
  thinking: 'reasoning',
  messages: 'input',
  'messages.thinking': 'input.reasoning',
  response_format: 'text.format',
  logprobs: 'top_logprobs',
};
