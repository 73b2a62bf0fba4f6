import { omitUndefined } from '@mg/contract';
import {
  checkFlag,
  checkObjects,
  checkSchema,
  checkText,
  needText,
  pickRest,
} from '../canonical/check-fields.js';
import { readList, readObjects, readText } from '../canonical/read-fields.js';
import type { ServerTool, ToolChoice, ToolDefinition } from '../canonical/request.js';
import { placeAt } from '../canonical/places.js';
import { limitTools } from '../canonical/limit-items.js';
import { refuseField } from '../canonical/refuse.js';
import { limitToolName, restoreToolName } from '../canonical/tool-name.js';
import type { ToolOrigin } from '../canonical/tool-origin.js';
import { isObject, type JsonObject } from '../json.js';
import { explainCustom, flattenName, FREE_TEXT, TOOL_SEARCH } from './caller-tools.js';
import { readSearchTool } from './web-search.js';

export interface DecodedTools {
  readonly tools: readonly ToolDefinition[];
  readonly serverTools: readonly ServerTool[];
}

const FUNCTION_FIELDS = new Set(['type', 'name', 'description', 'parameters', 'strict']);
const CUSTOM_FIELDS = new Set(['type', 'name', 'description', 'format']);
const SEARCH_FIELDS = new Set(['type', 'execution', 'description', 'parameters']);
/** Tools that the caller runs, in kinds that no other protocol can declare. */
const RUN_BY_CALLER = new Set('computer_use_preview computer local_shell shell apply_patch'.split(' '));

/**
 * Reads the tools of a request: those at its top, those that items of its input add, and those that a search of the client's
 * has loaded. Of two declarations of the same tool the later one counts.
 *
 * @throws GatewayError `invalid_request`, also where two tools would have one name in protocols without namespaces.
 * @see https://developers.openai.com/api/docs/guides/function-calling#defining-namespaces
 * @see https://developers.openai.com/api/docs/guides/tools-tool-search
 */
export function decodeTools(body: JsonObject): DecodedTools {
  const reader = new ToolReader();
  reader.readAll(body, '');
  readList(body.input).forEach((item, index) => {
    if (!isObject(item)) return;
    if (item.type === 'additional_tools') reader.readAll(item, `input[${index}]`);
    else if (item.type === 'tool_search_output') reader.readAll(item, `input[${index}]`, true);
  });
  return { tools: [...reader.tools.values()], serverTools: reader.serverTools };
}

interface Namespace {
  readonly name: string;
  readonly description: string | undefined;
  /** Whether the tool says what the namespace is for, where there are no namespaces: its first one does. */
  readonly isIntroduced: boolean;
}

class ToolReader {
  readonly tools = new Map<string, ToolDefinition>();
  readonly serverTools: ServerTool[] = [];
  #count = 0;

  readAll(holder: JsonObject, path: string, isLoaded = false): void {
    this.#count = limitTools(holder.tools, path === '' ? 'tools' : `${path}.tools`, this.#count);
    for (const { item, name } of checkObjects(holder, 'tools', path)) this.#read(item, name, isLoaded);
  }

  #read(item: JsonObject, path: string, isLoaded: boolean, namespace?: Namespace): void {
    const type = needText(item, 'type', path);
    if (type === 'function' || type === 'custom') {
      this.#add(decodeNamed(item, type, path, isLoaded, namespace), path);
    } else if (namespace) refuseField(`${path}.type`, 'must be function or custom within a namespace');
    else if (type === 'namespace') this.#readNamespace(item, path, isLoaded);
    else if (type === 'tool_search' && item.execution === 'client') this.#add(decodeSearch(item, path), path);
    else this.serverTools.push(decodeServerTool(placeAt(path, item), type));
  }

  #readNamespace(item: JsonObject, path: string, isLoaded: boolean): void {
    const namespace = {
      name: limitToolName(needText(item, 'name', path), `${path}.name`),
      description: checkText(item, 'description', path),
    };
    this.#count = limitTools(item.tools, `${path}.tools`, this.#count);
    checkObjects(item, 'tools', path).forEach(({ item: member, name }, index) => {
      this.#read(member, name, isLoaded, { ...namespace, isIntroduced: index === 0 });
    });
  }

  #add(tool: ToolDefinition, path: string): void {
    const known = this.tools.get(tool.name);
    if (known && tool.origin?.isLoaded && isSame(known, tool)) return;
    if (known && !isSame(known, tool)) {
      refuseField(`${path}.name`, `is "${tool.name}" without its namespace, as is that of another tool`);
    }
    this.tools.set(tool.name, placeAt(path, tool));
  }
}

/** Whether two declarations with one flat name are of the same tool. */
function isSame(one: ToolDefinition, other: ToolDefinition): boolean {
  const [first, second] = [one, other].map(({ name, origin }) => ({ kind: 'function', name, ...origin }));
  return (
    first?.kind === second?.kind && first?.namespace === second?.namespace && first?.name === second?.name
  );
}

function decodeNamed(
  item: JsonObject,
  kind: 'function' | 'custom',
  path: string,
  isLoaded: boolean,
  namespace: Namespace | undefined,
): ToolDefinition {
  const name = limitToolName(needText(item, 'name', path), `${path}.name`);
  const rest = pickRest(item, kind === 'custom' ? CUSTOM_FIELDS : FUNCTION_FIELDS);
  const isPlain = kind === 'function' && namespace === undefined && !isLoaded;
  const origin: ToolOrigin = omitUndefined({
    kind,
    name,
    raw: item,
    isLoaded: isLoaded || undefined,
    namespace: namespace?.name,
    namespaceDescription: namespace?.description,
  });
  return {
    name: namespace ? flattenName(namespace.name, name) : restoreToolName(name),
    description: introduce(
      namespace,
      kind === 'custom' ? explainCustom(item) : checkText(item, 'description', path),
    ),
    parameters: kind === 'custom' ? FREE_TEXT : checkSchema(item, 'parameters', path),
    strict: kind === 'custom' ? undefined : checkFlag(item, 'strict', path),
    ...omitUndefined({
      ext: rest ? { 'openai-responses': rest } : undefined,
      origin: isPlain ? undefined : origin,
    }),
  };
}

function introduce(namespace: Namespace | undefined, description: string | undefined): string | undefined {
  if (!namespace?.isIntroduced || namespace.description === undefined) return description;
  const introduction = `${namespace.name}: ${namespace.description}`;
  return description === undefined ? introduction : `${introduction}\n\n${description}`;
}

/** A search for tools that the client runs is a call like any other; what it finds comes with its output. */
function decodeSearch(item: JsonObject, path: string): ToolDefinition {
  const rest = pickRest(item, SEARCH_FIELDS);
  return {
    name: TOOL_SEARCH,
    description: checkText(item, 'description', path),
    parameters: checkSchema(item, 'parameters', path),
    strict: undefined,
    ...omitUndefined({ ext: rest ? { 'openai-responses': rest } : undefined }),
    origin: { kind: 'tool-search', name: TOOL_SEARCH, raw: item },
  };
}

function decodeServerTool(item: JsonObject, type: string): ServerTool {
  const search = readSearchTool(item);
  return omitUndefined({
    protocol: 'openai-responses',
    name: type,
    raw: item,
    search,
    runsAtClient: RUN_BY_CALLER.has(type) ? true : undefined,
  });
}

/** @throws GatewayError `invalid_request` */
export function decodeToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none') return { mode: choice };
  if (choice === 'required') return { mode: 'any' };
  if (!isObject(choice)) refuseField('tool_choice', 'must be auto, none, required or an object');
  const type = needText(choice, 'type', 'tool_choice');
  if (type === 'allowed_tools') return decodeAllowed(choice);
  if (type === 'function' || type === 'custom') {
    return { mode: 'one', name: nameChosen(choice, needText(choice, 'name', 'tool_choice')) };
  }
  return { mode: 'one', name: type };
}

function decodeAllowed(choice: JsonObject): ToolChoice {
  limitTools(choice.tools, 'tool_choice.tools');
  const names = readObjects(choice.tools).flatMap((tool) => {
    const name = readText(tool.name) ?? (tool.type === 'function' ? undefined : readText(tool.type));
    return name === undefined ? [] : [nameChosen(tool, name)];
  });
  return { mode: choice.mode === 'required' ? 'any' : 'auto', names };
}

function nameChosen({ namespace }: JsonObject, name: string): string {
  const group = readText(namespace);
  limitToolName(name, 'tool_choice');
  return group === undefined ? restoreToolName(name) : flattenName(group, name);
}
