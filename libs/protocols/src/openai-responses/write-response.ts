import type { JsonObject } from '../json.js';

/** What changes in a response while it is streamed. */
export interface ResponseFacts {
  readonly id: string;
  readonly model: string;
  readonly created: number;
  readonly status: string;
  readonly output: readonly JsonObject[];
  readonly usage: JsonObject | null;
  readonly incomplete_details: JsonObject | null;
  readonly error: JsonObject | null;
  /** What it repeats of its request. */
  readonly repeated?: JsonObject | undefined;
}

/** Settings that SDKs expect to be there, as they are where nothing else is known. */
const SETTINGS: JsonObject = {
  background: false,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
  user: null,
};

/** A response object with every field that official SDKs read. */
export function writeResponse(facts: ResponseFacts): JsonObject {
  return {
    id: facts.id,
    object: 'response',
    created_at: facts.created,
    status: facts.status,
    error: facts.error,
    incomplete_details: facts.incomplete_details,
    model: facts.model,
    output: facts.output,
    ...SETTINGS,
    ...facts.repeated,
    usage: facts.usage,
  };
}
