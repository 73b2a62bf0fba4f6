import { checkCount, checkList, checkObjects, checkText } from '../canonical/check-fields.js';
import { mayBeImage } from '../canonical/media-type.js';
import { readObjects } from '../canonical/read-fields.js';
import { isLimited } from '../canonical/web-search.js';
import { type Demand, type HostedTool, type NamedTier, readTier } from '../chat/demand.js';
import { PromptMeter } from '../chat/prompt-meter.js';
import { isObject, type JsonObject } from '../json.js';
import { readSearchTool } from './web-search.js';

/**
 * The provider pauses a call whose tools had the model go on this many times.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
 */
const MOST_ROUNDS = 10;

/** Blocks whose tokens are in the body, with those of their `content`. Any other kind may bring some from elsewhere. */
const IN_BODY = new Set(
  (
    'text thinking redacted_thinking tool_use tool_result server_tool_use mcp_tool_use mcp_tool_result search_result ' +
    'web_search_tool_result web_search_result tool_reference tool_search_tool_result compaction ' +
    'code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result'
  ).split(' '),
);
/** Tools that the caller runs, by what their types begin with. */
const RUN_BY_CALLER = /^(custom$|(bash|text_editor|computer|memory)_)/;

/** What a messages request may use. @throws GatewayError `invalid_request` for a limit that cannot be read. */
export function readMessagesDemand(body: Buffer, parsed: JsonObject): Demand {
  const meter = new PromptMeter(body.length);
  meterContent(parsed.system, 'system', meter);
  readObjects(parsed.messages).forEach((message, index) =>
    meterContent(message.content, `messages[${index}].content`, meter),
  );
  const servers = checkList(parsed, 'mcp_servers').length > 0;
  if (servers) meter.addUnbounded('mcp_servers');
  if (parsed.container !== undefined && parsed.container !== null) meter.addUnbounded('container');
  const edits = isObject(parsed.context_management) ? readObjects(parsed.context_management.edits) : [];
  return {
    textBytes: meter.textBytes,
    images: meter.images,
    unboundedField: meter.unboundedField,
    extraOutputTokens: 0,
    compactions: edits.filter(({ type }) => typeof type === 'string' && type.startsWith('compact')).length,
    tools: [
      ...checkObjects(parsed, 'tools').flatMap(({ item, name }) => readTool(item, name)),
      ...(servers ? [loop('mcp_servers', 'mcp_servers')] : []),
    ],
    hasFunctions: readObjects(parsed.tools).some(({ type = 'custom' }) => type === 'custom'),
    maxRounds: MOST_ROUNDS,
    tier: readTiers(parsed),
  };
}

function meterContent(content: unknown, path: string, meter: PromptMeter): void {
  if (!Array.isArray(content)) return;
  content.forEach((block: unknown, index) => {
    if (isObject(block)) meterBlock(block, `${path}[${index}]`, meter);
  });
}

function meterBlock(block: JsonObject, path: string, meter: PromptMeter): void {
  const { type, source } = block;
  if (type === 'image') meterImage(source, `${path}.source`, meter);
  else if (type === 'document') meterDocument(source, `${path}.source`, meter);
  else if (type === 'web_fetch_tool_result') meterFetched(block.content, `${path}.content`, meter);
  else if (typeof type === 'string' && IN_BODY.has(type))
    meterContent(block.content, `${path}.content`, meter);
  else meter.addUnbounded(path);
}

function meterImage(source: unknown, path: string, meter: PromptMeter): void {
  const { url, data } = isObject(source) ? source : {};
  if (typeof url === 'string' && !mayBeImage(url)) meter.addUnbounded(path);
  else meter.addImage(data);
}

/** A PDF may hold far more text than bytes, and its pages count as images too. */
function meterDocument(source: unknown, path: string, meter: PromptMeter): void {
  if (!isObject(source) || source.type === 'text') return;
  if (source.type === 'content') meterContent(source.content, `${path}.content`, meter);
  else meter.addUnbounded(path);
}

function meterFetched(result: unknown, path: string, meter: PromptMeter): void {
  const page = isObject(result) ? result.content : undefined;
  if (isObject(page)) meterBlock(page, `${path}.content`, meter);
}

function readTool(tool: JsonObject, path: string): HostedTool[] {
  const type = checkText(tool, 'type', path);
  const param = `${path}.type`;
  if (type === undefined || RUN_BY_CALLER.test(type)) return [];
  if (type.startsWith('web_search_')) {
    const isOfDomains = isLimited(readSearchTool(tool) ?? {});
    return [
      { param, name: type, fee: 'per_web_search', uses: checkCount(tool, 'max_uses', path), isOfDomains },
    ];
  }
  if (type.startsWith('web_fetch_')) {
    return [{ param, name: type, fee: 'tokens', uses: checkCount(tool, 'max_uses', path) }];
  }
  if (type.startsWith('code_execution_')) {
    return [{ param, name: type, fee: 'per_code_session', uses: 1, rounds: MOST_ROUNDS }];
  }
  if (type === 'mcp_toolset' || type.startsWith('tool_search_tool_')) return [loop(param, type)];
  return [{ param, name: type, fee: 'unknown', uses: 0 }];
}

function loop(param: string, name: string): HostedTool {
  return { param, name, fee: 'tokens', uses: 0, rounds: MOST_ROUNDS };
}

/** Faster output, and a region of one's own, cost more as a service tier does: `fast`, `us`, both as `fast+us`. */
function readTiers(parsed: JsonObject): NamedTier | undefined {
  const named = [
    readTier(parsed.service_tier, 'service_tier'),
    readTier(parsed.speed, 'speed'),
    parsed.inference_geo === 'global' ? undefined : readTier(parsed.inference_geo, 'inference_geo'),
  ].filter((tier) => tier !== undefined);
  const [first] = named;
  return first && { param: first.param, name: named.map(({ name }) => name).join('+') };
}
