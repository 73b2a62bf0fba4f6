import type { CsvColumns } from '../http/write-csv.js';
import type { LogView } from './log-view.js';

/** Columns of the export of calls. */
export const LOG_COLUMNS: CsvColumns<LogView> = {
  request_id: (call) => call.request_id,
  created_at: (call) => call.created_at,
  token_id: (call) => call.token_id,
  token_name: (call) => call.token_name,
  model: (call) => call.model,
  endpoint: (call) => call.endpoint,
  channel: (call) => call.channel,
  status: (call) => call.status,
  error_code: (call) => call.error_code,
  stream: (call) => call.stream,
  latency_ms: (call) => call.latency_ms,
  ttft_ms: (call) => call.ttft_ms,
  input_tokens: (call) => call.usage.input_tokens,
  cached_input_tokens: (call) => call.usage.cached_input_tokens,
  cache_write_tokens: (call) => call.usage.cache_write_tokens,
  output_tokens: (call) => call.usage.output_tokens,
  reasoning_tokens: (call) => call.usage.reasoning_tokens,
  images: (call) => call.usage.images,
  seconds: (call) => call.usage.seconds,
  cost: (call) => call.cost,
  estimated: (call) => call.estimated,
  reason: (call) => call.reason,
  price_version: (call) => call.price_version,
  web_searches: (call) => call.usage.web_searches ?? 0,
  file_searches: (call) => call.usage.file_searches ?? 0,
  code_sessions: (call) => call.usage.code_sessions ?? 0,
  tier: (call) => call.usage.tier ?? null,
};
