import aider from './guides/aider.txt?raw';
import aiSdk from './guides/ai-sdk.txt?raw';
import anthropicNode from './guides/anthropic-node.txt?raw';
import anthropicPython from './guides/anthropic-python.txt?raw';
import claudeCode from './guides/claude-code.txt?raw';
import cline from './guides/cline.txt?raw';
import codex from './guides/codex.txt?raw';
import curl from './guides/curl.txt?raw';
import cursor from './guides/cursor.txt?raw';
import geminiCli from './guides/gemini-cli.txt?raw';
import googleNode from './guides/google-node.txt?raw';
import googlePython from './guides/google-python.txt?raw';
import instructor from './guides/instructor.txt?raw';
import langchain from './guides/langchain.txt?raw';
import litellm from './guides/litellm.txt?raw';
import llamaIndex from './guides/llama-index.txt?raw';
import openaiAgents from './guides/openai-agents.txt?raw';
import openaiNode from './guides/openai-node.txt?raw';
import openaiPython from './guides/openai-python.txt?raw';
import opencode from './guides/opencode.txt?raw';
import pydanticAi from './guides/pydantic-ai.txt?raw';

/** Programs by their own names, which are the same in every language. */
const GUIDES = {
  curl,
  'OpenAI, Python': openaiPython,
  'OpenAI, Node': openaiNode,
  'Anthropic, Python': anthropicPython,
  'Anthropic, Node': anthropicNode,
  'Google, Python': googlePython,
  'Google, Node': googleNode,
  'Claude Code': claudeCode,
  Codex: codex,
  'Gemini CLI': geminiCli,
  opencode,
  Cursor: cursor,
  Cline: cline,
  aider,
  'OpenAI Agents': openaiAgents,
  'Vercel AI SDK': aiSdk,
  LangChain: langchain,
  LlamaIndex: llamaIndex,
  'Pydantic AI': pydanticAi,
  Instructor: instructor,
  LiteLLM: litellm,
} as const;

export type GuideName = keyof typeof GUIDES;

export const GUIDE_NAMES = Object.keys(GUIDES) as GuideName[];

/** What a program is given to call the gateway. */
export interface Connection {
  /** The gateway's address, without a path. */
  readonly url: string;
  readonly key: string;
  readonly model: string;
}

/** How a program is connected, ready to be pasted. */
export function writeGuide(name: GuideName, { url, key, model }: Connection): string {
  const values: Readonly<Record<string, string>> = { url, key, model };
  return GUIDES[name].replace(/\{\{(\w+)\}\}/g, (_whole, field: string) => values[field] ?? '').trim();
}

/** What a program takes as its base URL: SDKs of OpenAI append paths without a version, others with one. */
export function toBaseUrl(name: GuideName, url: string): string {
  return GUIDES[name].includes('{{url}}/v1') ? `${url}/v1` : url;
}
