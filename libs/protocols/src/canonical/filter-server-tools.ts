import type { JsonObject } from '../json.js';
import type { ProtocolName } from './blocks.js';
import type { EncodeContext } from './codec.js';
import { LONGEST_SHOWN } from './name-opaque.js';
import { placeOf } from './places.js';
import { refuseForChannel } from './refuse.js';
import type { CanonicalRequest, ServerTool, ToolChoice } from './request.js';
import type { WriteSearch } from './web-search.js';

/**
 * The server tools that a channel speaking `home` may be sent. A search of the web becomes the channel's own where its
 * model has one. Others are left out and named, unless the caller forced their use or runs them itself: then leaving
 * them out would change the meaning, as would a choice that is passed over where there is no tool at all.
 *
 * @throws GatewayError
 */
export function filterServerTools(
  request: CanonicalRequest,
  home: ProtocolName,
  context: EncodeContext,
  writeSearch?: WriteSearch,
): JsonObject[] {
  const mode = request.toolChoice?.mode;
  if (request.tools.length + request.serverTools.length === 0 && (mode === 'any' || mode === 'one')) {
    refuseForChannel('tool_choice', 'there is no tool to choose', context);
  }
  const names = readAllowedNames(request.toolChoice);
  const kept: JsonObject[] = [];
  let search: JsonObject | undefined;
  for (const tool of request.serverTools) {
    if (tool.protocol === home) {
      kept.push(tool.raw);
      continue;
    }
    const shown = tool.name.slice(0, LONGEST_SHOWN);
    const name = tool.required ? shown : shown === '' ? 'tools' : `tools.${shown}`;
    if (tool.search && context.traits.supportsWebSearch) {
      const written = search ?? writeSearch?.(tool.search, placeOf(tool.raw, name));
      if (written && !search) kept.push((search = written));
      if (written) continue;
    }
    if (tool.required) refuseForChannel(name, 'it knows nothing like it', context);
    if (tool.runsAtClient) {
      refuseForChannel(placeOf(tool.raw, name), `it has nothing like ${name}`, context);
    }
    if (isForced(request, tool, names))
      refuseForChannel('tool_choice', `it does not run ${name} itself`, context);
    context.dropped.add(name);
  }
  return kept;
}

/** Whether the one tool that the caller wants used is a search of the web in words of another protocol than `home`. */
export function isSearchForced({ toolChoice, serverTools }: CanonicalRequest, home: ProtocolName): boolean {
  return (
    toolChoice?.mode === 'one' &&
    serverTools.some(({ search, protocol, name }) => search && protocol !== home && name === toolChoice.name)
  );
}

/** The tools that a choice is limited to, as a set: there may be thousands of both; `undefined` where it is not limited. */
export function readAllowedNames(choice: ToolChoice | undefined): ReadonlySet<string> | undefined {
  return choice && 'names' in choice && choice.names ? new Set(choice.names) : undefined;
}

function isForced(
  request: CanonicalRequest,
  tool: ServerTool,
  names: ReadonlySet<string> | undefined,
): boolean {
  const choice = request.toolChoice;
  if (choice?.mode === 'one') return choice.name === tool.name;
  if (choice?.mode !== 'any') return false;
  return names ? names.has(tool.name) : request.tools.length === 0;
}
