import { isObject, type Json } from './json.js';
import type { ChatRequest, ChatTool } from './request.js';

/** What an agent's user asks for: `Write the file /tmp/x/made.txt with the text: hello`. */
const WISH = /Write the file (\S+) with the text: (\w+)/;

/** A call of the tool by which an agent lets its model write a file, or the text of an answer where it has none. */
export type FileAnswer = { readonly tool: string; readonly input: unknown } | { readonly text: string };

/**
 * Writes the file that the user asks for by whichever tool the agent offers, and says so once it has a result.
 *
 * @returns `undefined` for calls that agents make beside the task, such as for a title.
 */
export function writeWishedFile({ messages, tools }: ChatRequest): FileAnswer | undefined {
  const [, path, text] = WISH.exec(messages.map(({ content }) => readWords(content)).join('\n')) ?? [];
  if (path === undefined || text === undefined) return undefined;
  if (messages.some(({ role }) => role === 'tool')) return { text: `${path} is written.` };
  for (const tool of tools) {
    const input = fillIn(tool, path, text);
    if (input) return { tool: tool.name, input };
  }
  // Agents without tools read files out of the text: their name, and what is in them.
  const name = path.split('/').at(-1) ?? path;
  return { text: `${name}\n\`\`\`\n${text}\n\`\`\`\n` };
}

function readWords(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part) => (isObject(part) ? String(part['text'] ?? '') : '')).join('\n');
}

/** What a tool that writes files, or one that runs commands, is to be given. */
function fillIn({ parameters }: ChatTool, path: string, text: string): Json | undefined {
  const properties =
    isObject(parameters) && isObject(parameters['properties']) ? parameters['properties'] : {};
  const names = Object.keys(properties);
  const file = names.find((name) => /^(?:file_?)?path$/i.test(name));
  if (file !== undefined && names.includes('content')) return { [file]: path, content: text };
  const command = names.find((name) => name === 'cmd' || name === 'command');
  if (command === undefined || names.includes('description')) return undefined;
  const line = `printf ${text} > ${path}`;
  const rule = properties[command];
  const isList = isObject(rule) && rule['type'] === 'array';
  return { [command]: isList ? ['sh', '-c', line] : line };
}
