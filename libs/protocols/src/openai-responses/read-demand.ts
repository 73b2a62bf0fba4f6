import { checkCount, checkObjects, checkText } from '../canonical/check-fields.js';
import { mayBeImage } from '../canonical/media-type.js';
import { readObjects } from '../canonical/read-fields.js';
import { isLimited } from '../canonical/web-search.js';
import { type Demand, type HostedTool, readTier } from '../chat/demand.js';
import { PromptMeter } from '../chat/prompt-meter.js';
import { isObject, type JsonObject } from '../json.js';
import { isCompactionTrigger } from './compaction.js';
import { readSearchTool } from './web-search.js';

/** Items whose tokens are in the body, with those of their parts. Any other kind may refer to something stored. */
const IN_BODY = new Set(
  (
    'message function_call function_call_output custom_tool_call custom_tool_call_output reasoning compaction ' +
    'compaction_trigger agent_message local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output ' +
    'computer_call computer_call_output web_search_call tool_search_call tool_search_output mcp_call mcp_list_tools ' +
    'mcp_approval_request mcp_approval_response'
  ).split(' '),
);
const TEXT_PARTS = new Set([
  'input_text',
  'output_text',
  'text',
  'refusal',
  'summary_text',
  'reasoning_text',
]);
/** Tools that the caller runs. */
const RUN_BY_CALLER = new Set(
  'function custom computer_use_preview computer local_shell apply_patch'.split(' '),
);
/** The memory of a container that costs the plain fee. */
const USUAL_MEMORY = '1g';

/** What a request of the Responses API may use. @throws GatewayError `invalid_request` for a limit that cannot be read. */
export function readResponsesDemand(body: Buffer, parsed: JsonObject): Demand {
  const meter = new PromptMeter(body.length);
  const items = readObjects(parsed.input);
  items.forEach((item, index) => meterItem(item, `input[${index}]`, meter));
  const { tools, limit } = readHostedTools(parsed);
  return {
    textBytes: meter.textBytes,
    images: meter.images,
    unboundedField: meter.unboundedField,
    hasMedia: meter.hasMedia,
    extraOutputTokens: 0,
    compactions: readObjects(parsed.context_management).length + items.filter(isCompactionTrigger).length,
    tools,
    hasFunctions: readObjects(parsed.tools).some(({ type }) => type === 'function' || type === 'custom'),
    maxRounds: limit,
    tier: readTier(parsed.service_tier, 'service_tier'),
  };
}

/** Tools that the provider runs, and the limit of their calls together. @throws GatewayError `invalid_request` */
export function readHostedTools(parsed: JsonObject): {
  readonly tools: HostedTool[];
  readonly limit: number | undefined;
} {
  const limit = checkCount(parsed, 'max_tool_calls');
  const tools = checkObjects(parsed, 'tools').flatMap(({ item, name }) => readTool(item, name, limit));
  return { tools, limit };
}

function meterItem(item: JsonObject, path: string, meter: PromptMeter): void {
  const type = item.type ?? 'message';
  if (typeof type !== 'string' || !IN_BODY.has(type)) {
    meter.addUnbounded(path);
    return;
  }
  meterParts(item.content, `${path}.content`, meter);
  meterParts(isObject(item.output) ? [item.output] : item.output, `${path}.output`, meter);
}

function meterParts(parts: unknown, path: string, meter: PromptMeter): void {
  readObjects(parts).forEach((part, index) => {
    const { type } = part;
    if (type === 'input_image' || type === 'computer_screenshot') {
      const { image_url: url = '' } = part;
      if (typeof url !== 'string' || !mayBeImage(url)) meter.addUnbounded(`${path}[${index}].image_url`);
      else meter.addImage(url.startsWith('data:') ? url : undefined);
    } else if (type === 'input_audio') meterAudio(part.input_audio, `${path}[${index}]`, meter);
    else if (typeof type === 'string' && !TEXT_PARTS.has(type) && !isShellOutput(part)) {
      meter.addUnbounded(`${path}[${index}]`);
    }
  });
}

/** Sound in these formats has fewer tokens than bytes. */
function meterAudio(audio: unknown, path: string, meter: PromptMeter): void {
  const format = isObject(audio) ? audio.format : undefined;
  if (format === 'wav' || format === 'mp3') meter.addMedia();
  else meter.addUnbounded(path);
}

/** What a shell printed, as texts. */
function isShellOutput({ stdout, stderr }: JsonObject): boolean {
  return typeof stdout === 'string' || typeof stderr === 'string';
}

/** @param limit of the calls of all tools together; each is a round. */
function readTool(tool: JsonObject, path: string, limit: number | undefined): HostedTool[] {
  const type = checkText(tool, 'type', path) ?? '';
  const param = `${path}.type`;
  if (RUN_BY_CALLER.has(type)) return [];
  if (type === 'namespace') {
    return checkObjects(tool, 'tools', path).flatMap(({ item, name }) => readTool(item, name, limit));
  }
  if (type === 'tool_search' && tool.execution === 'client') return [];
  if (type === 'shell' && !isHostedShell(tool)) return [];
  const fee = feeOf(type, tool);
  const uses = fee === 'per_code_session' ? 1 : limit;
  const isOfDomains = isLimited(readSearchTool(tool) ?? {});
  return [{ param, name: type, fee, uses, rounds: Infinity, isOfDomains }];
}

/**
 * Fees beside tokens. Images that are drawn on the way are billed by the tokens of another model, which no answer reports.
 *
 * @see https://platform.openai.com/docs/pricing
 */
function feeOf(type: string, tool: JsonObject): HostedTool['fee'] {
  if (type.startsWith('web_search')) return 'per_web_search';
  if (type === 'file_search') return 'per_file_search';
  if (type === 'mcp' || type === 'tool_search') return 'tokens';
  if (type !== 'code_interpreter' && type !== 'shell') return 'unknown';
  const container = isObject(tool.container) ? tool.container : tool.environment;
  const memory = isObject(container) ? (container.memory_limit ?? USUAL_MEMORY) : USUAL_MEMORY;
  return memory === USUAL_MEMORY ? 'per_code_session' : 'unknown';
}

function isHostedShell({ environment }: JsonObject): boolean {
  return isObject(environment) && environment.type !== 'local';
}
