import { UPSTREAM_ROUTING_FIELDS } from '../canonical/upstream-routing.js';
import type { JsonLimits } from '../strict-json/json-limits.js';
import { NameTable } from '../strict-json/name-table.js';

function list(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '));
}

/**
 * Names of the events that clients of the Realtime API send: whatever decides which model answers, how much, and at which
 * price. Here `input` holds settings and items, not the caller's own data.
 *
 * @see https://platform.openai.com/docs/api-reference/realtime-client-events
 */
export const REALTIME_NAMES = new NameTable({
  names: [
    ...UPSTREAM_ROUTING_FIELDS,
    ...list(
      'type event_id session response item item_id response_id previous_item_id content_index audio_end_ms',
      'model instructions prompt tools tool_choice name description strict audio input output format rate voice speed',
      'modalities output_modalities max_output_tokens max_response_output_tokens temperature conversation reasoning',
      'effort truncation retention_ratio token_limits tracing include input_audio_format output_audio_format',
      'input_audio_transcription transcription input_audio_noise_reduction noise_reduction turn_detection threshold',
      'silence_duration_ms prefix_padding_ms create_response interrupt_response eagerness idle_timeout_ms language',
      'role content text transcript image_url detail id call_id status object server_url server_label connector_id',
      'mcp_servers service_tier',
    ),
  ],
  ownData: list('parameters arguments metadata'),
  ownDataAtTop: [],
  ignoresUnderscores: false,
});

/** A message is read in one step, so it may hold less than a body: its long strings are audio. */
export const REALTIME_LIMITS: JsonLimits = {
  depth: 64,
  members: 5_000,
  topMembers: 1_000,
  newNames: 2_000,
  containers: 5_000,
  strings: 10_000,
  scalars: 10_000,
  nameBytes: 1_024,
  allNameBytes: 128 * 1024,
  numberLength: 64,
};
