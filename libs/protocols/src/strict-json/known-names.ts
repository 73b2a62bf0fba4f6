import { UPSTREAM_ROUTING_FIELDS } from '../canonical/upstream-routing.js';
import { NameTable } from './name-table.js';

function list(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '));
}

/** Members that hold schemas, arguments, results and headers: their names are the caller's. */
const OWN_DATA = list(
  'input input_schema arguments parameters schema properties headers metadata labels logit_bias',
  'chat_template_kwargs environment args extra filters',
);

/**
 * Names of OpenAI's, Anthropic's and their look-alikes' requests: whatever decides which model answers, how much, at which
 * price, and what of the prompt is counted.
 */
export const SNAKE_NAMES = new NameTable({
  names: [
    ...UPSTREAM_ROUTING_FIELDS,
    ...list(
      'model stream stream_options include_usage n best_of user user_id store background service_tier',
      'max_tokens max_completion_tokens max_output_tokens max_new_tokens max_length max_tokens_to_sample min_tokens',
      'max_tool_calls options num_predict',
      'messages role content type text name system prompt suffix echo instructions input_text tool_use_id tool_call_id',
      'image_url image_file input_image image url file file_id file_url file_data filename source data media_type detail',
      'input_audio input_file audio video video_url document documents modalities refusal',
      'tools tool_choice functions function function_call tool_calls allowed_tools strict parallel_tool_calls max_uses',
      'web_search_options search_context_size mcp_servers container server_url server_label connector_id',
      'reasoning reasoning_effort effort thinking budget_tokens verbosity output_config',
      'response_format output_format json_schema logprobs top_logprobs temperature top_p top_k min_p seed stop',
      'stop_sequences presence_penalty frequency_penalty repetition_penalty prediction cache_control',
      'prompt_cache_key prompt_cache_retention safety_identifier previous_response_id conversation include truncation',
      'item_reference id call_id output status anthropic_version anthropic_beta context_management speed inference_geo',
      'encoding_format dimensions query top_n return_documents task task_type input_type',
      'size quality style background moderation mask images partial_images output_compression input_fidelity',
      'voice speed stream_format language timestamp_granularities chunking_strategy known_speaker_names',
      'duration seconds frames fps resolution ratio aspect_ratio width height negative_prompt generate_audio',
      'callback_url webhook first_frame last_frame reference_images input_reference camera_fixed watermark draft',
      'return_last_frame execution_expires_after video_urls mode sound num_frames',
    ),
  ],
  ownData: OWN_DATA,
  ownDataAtTop: list('metadata labels logit_bias chat_template_kwargs'),
  ignoresUnderscores: false,
});

const GEMINI_CALL_NAMES = list(
  'model stream contents content parts role text thought thoughtSignature inlineData fileData mimeType data fileUri',
  'functionCall functionResponse executableCode codeExecutionResult videoMetadata mediaResolution name',
  'systemInstruction generationConfig candidateCount maxOutputTokens temperature topP topK seed stopSequences',
  'presencePenalty frequencyPenalty responseLogprobs logprobs responseMimeType responseModalities speechConfig',
  'thinkingConfig includeThoughts thinkingBudget thinkingLevel imageConfig aspectRatio imageSize audioTimestamp',
  'tools functionDeclarations googleSearch googleSearchRetrieval codeExecution urlContext googleMaps computerUse',
  'fileSearch retrieval enterpriseWebSearch mcpServers toolConfig functionCallingConfig allowedFunctionNames',
  'safetySettings cachedContent serviceTier routingConfig modelConfig modelSelectionConfig store generateContentRequest',
  'requests embedContentConfig taskType outputDimensionality',
);
const GEMINI_OWN_DATA = list(
  'args response parameters parametersJsonSchema responseSchema responseJsonSchema _responseJsonSchema labels',
  'properties headers outputSchema',
);

/**
 * Names of Google's requests, each of which its servers also read in snake_case.
 *
 * @see https://protobuf.dev/programming-guides/json/
 * @see https://ai.google.dev/api/generate-content
 */
export const GEMINI_NAMES = new NameTable({
  names: GEMINI_CALL_NAMES,
  ownData: GEMINI_OWN_DATA,
  ownDataAtTop: ['labels'],
  ignoresUnderscores: true,
});

/**
 * Names of the messages that clients of Google's Live API send, which hold those of calls.
 *
 * @see https://ai.google.dev/api/live
 */
export const LIVE_NAMES = new NameTable({
  names: [
    ...GEMINI_CALL_NAMES,
    ...list(
      'setup clientContent realtimeInput toolResponse contextUpdate turns turnComplete functionResponses audio video',
      'mediaChunks activityStart activityEnd audioStreamEnd realtimeInputConfig automaticActivityDetection disabled',
      'activityHandling turnCoverage sessionResumption handle transparent contextWindowCompression slidingWindow',
      'triggerTokens targetTokens inputAudioTranscription outputAudioTranscription proactivity proactiveAudio',
      'historyConfig initialHistoryInClientContent explicitVadSignal avatarConfig translationConfig',
      'enableAffectiveDialog willContinue scheduling prebuiltVoiceConfig voiceConfig voiceName languageCode',
    ),
  ],
  ownData: GEMINI_OWN_DATA,
  ownDataAtTop: [],
  ignoresUnderscores: true,
});
