import { findUpstreamProtocol, parseOpenAiError } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import { findBlame } from './find-blame.js';

const PROTOCOLS = (['openai-chat', 'anthropic-messages', 'gemini-generate', 'bedrock-converse'] as const).map(
  (name) => findUpstreamProtocol(name),
);

const say = (message: string | undefined, more: { param?: string; code?: string } = {}) => ({
  message,
  param: undefined,
  ...more,
});

describe('a refusal in the words of a provider', () => {
  it.each([
    [404, 'The model `gpt-9` does not exist or you do not have access to it.'],
    [
      404,
      'models/gemini-9-image is not found for API version v1beta, or is not supported for generateContent.',
    ],
    [404, 'model: claude-9'],
    [404, "model 'llama9' not found"],
    [404, 'Publisher Model `projects/p/locations/l/publishers/google/models/m` was not found'],
    [404, 'Not found the model kimi-9 or Permission denied'],
    [404, 'Model not found, inaccessible, and/or not deployed'],
    [404, 'Could not resolve the foundation model from the provided model identifier.'],
    [404, 'The API deployment for this resource does not exist.'],
    [404, 'Not Found'],
    [404, 'Resource not found'],
    [404, 'Invalid URL (POST /v1/chat/completion)'],
    [404, 'Unknown request URL: POST /v2/chat. Please check the URL for typos.'],
    [404, 'no Route matched with those values'],
    [404, 'No endpoints found for vendor/model-9.'],
    [404, undefined],
    [404, ''],
    [
      404,
      'Your account 2106 has not activated the model doubao-x. Please activate the model service in the Ark Console.',
    ],
    [404, 'No allowed providers are available for the selected model.'],
    [404, 'No endpoints found matching your data policy. Configure: https://openrouter.ai/settings/privacy'],
    [
      404,
      'Access denied. This Model is marked by provider as Legacy and you have not been actively using it.',
    ],
    [404, 'Cannot POST /v1/responses'],
    [404, 'Route POST:/v1/images/generations not found'],
    [404, 'Endpoint not found'],
    [404, 'The image generation endpoint is not available in your region.'],
    [404, 'The requested resource was not found'],
    [404, 'The requested URL /v1/x was not found on this server.'],
    [404, 'There is no endpoint POST /v1/files/chat/completions.'],
    [404, 'gpt-image-9 is unknown'],
    [404, 'This Container App is stopped or does not exist.'],
    [410, 'Gone'],
    [424, 'Bad response from a dependency'],
    [405, 'Method Not Allowed'],
    [408, 'Model has timed out in processing the request. Try your request again.'],
    [410, 'The model `gpt-3` is no longer available.'],
    [424, 'The system encountered an unexpected error during processing. Try your request again.'],
    [500, 'The file could not be read'],
  ])('%i %s is about the channel', (status, message) => {
    expect(findBlame(status, say(message))).toBe('channel');
  });

  it.each(['File not found.', '<html><body>404 File not found</body></html>', ''])(
    'is about the channel where a web server answers instead of the API, 404 %j',
    (body) => {
      for (const parse of [parseOpenAiError, ...PROTOCOLS.map((protocol) => protocol.parseUpstreamError)]) {
        expect(findBlame(404, parse(body))).toBe('channel');
      }
    },
  );

  it('is about the channel by a code, and by the field', () => {
    expect(findBlame(404, say('No such thing.', { code: 'model_not_found' }))).toBe('channel');
    expect(findBlame(404, say('No such thing.', { param: 'model' }))).toBe('channel');
    expect(findBlame(404, say('No such file.', { code: 'ModelNotOpen', param: '' }))).toBe('channel');
    expect(findBlame(404, say('No such thing.', { param: '' }))).toBe('channel');
  });

  it('is about the caller by any other field, and about the key by the code of a wrong one', () => {
    expect(findBlame(404, say('No such thing.', { param: 'previous_response_id' }))).toBe('caller');
    expect(findBlame(400, say('API key not valid.', { code: 'API_KEY_INVALID' }))).toBe('key');
  });

  it.each([
    [404, 'File not found: file_011C'],
    [404, 'No such File object: file-abc'],
    [404, 'Vector store with id [vs_abc] not found.'],
    [404, "Item with id 'rs_abc' not found."],
    [404, "Previous response with id 'resp_abc' not found."],
    [404, "Conversation with id 'conv_abc' not found."],
    [404, "Prompt with id 'pmpt_abc' not found."],
    [404, "Container with id 'cntr_abc' not found."],
    [404, 'Not found: cached content metadata for 123.'],
    [404, 'A voice with the voice_id abc was not found.'],
    [404, 'No such object: bucket/x.mp4'],
    [404, 'Error while downloading https://example.com/x.png.'],
    [404, 'There is no response of this id.'],
    [404, 'This model is only supported in v1/responses and not in v1/chat/completions.'],
    [404, 'No endpoints found that support image input'],
    [409, 'The conversation is being changed by another request.'],
    [410, 'The file has expired.'],
    [415, 'Unsupported media type: image/tiff'],
    [424, "Error retrieving tool list from MCP server: 'mine'. Http status code: 424 (Failed Dependency)"],
    [403, 'You do not have permission to access the File abc or it may not exist.'],
    [403, 'CachedContent not found (or permission denied)'],
    [403, 'robot@p.iam.gserviceaccount.com does not have storage.objects.get access to gs://bucket/x.mp4'],
    [400, 'messages: at least one message is required'],
    [413, undefined],
  ])('%i %s is about what the caller sent', (status, message) => {
    expect(findBlame(status, say(message))).toBe('caller');
  });

  it.each([
    [401, 'Incorrect API key provided: sk-..'],
    [402, 'Insufficient Balance'],
    [403, 'Project does not have access to this model.'],
    [403, 'Your organization must be verified to use the model `gpt-image-1`.'],
    [403, 'You have insufficient permissions for this operation. Missing scopes: api.files.read.'],
    [403, 'This API key may not use the Files API.'],
    [403, undefined],
  ])('%i %s is about the key', (status, message) => {
    expect(findBlame(status, say(message))).toBe('key');
  });

  it.each(['model not found', 'the model does not exist', 'deployment is unavailable'])(
    'is none of the channel by the name of a file that its caller chose: %s',
    (name) => {
      const told = [
        `No such File object: ${name}`,
        `Files [${name}] were not found.`,
        `Item '${name}' not found.`,
      ];
      for (const message of told) expect(findBlame(404, say(message))).toBe('caller');
    },
  );
});
