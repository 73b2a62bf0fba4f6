/** A program whose text in Connect is a whole script, which asks once and prints the answer. */
export interface GuideTask {
  /** As Connect names it. */
  readonly name: string;
  /** `sh`, `node`, or the environment of Python in which it runs. */
  readonly runs: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What it prints, where that is not the answer of the upstream in words. */
  readonly prints?: string;
}

export const GUIDE_TASKS: readonly GuideTask[] = [
  { name: 'curl', runs: 'sh' },
  { name: 'OpenAI, Python', runs: 'sdks' },
  { name: 'OpenAI, Node', runs: 'node' },
  { name: 'Anthropic, Python', runs: 'sdks' },
  { name: 'Anthropic, Node', runs: 'node' },
  { name: 'Google, Python', runs: 'sdks' },
  { name: 'Google, Node', runs: 'node' },
  { name: 'OpenAI Agents', runs: 'sdks' },
  { name: 'Vercel AI SDK', runs: 'node' },
  { name: 'LangChain', runs: 'langchain' },
  { name: 'LlamaIndex', runs: 'llama' },
  { name: 'Pydantic AI', runs: 'pydantic' },
  { name: 'Instructor', runs: 'instructor', prints: 'sample' },
  // It fetches a list of prices otherwise.
  { name: 'LiteLLM', runs: 'litellm', env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' } },
];

/** Desktop programs: what is typed into them is called by the browser tests (`describe-connect.ts`). */
export const DESKTOP_PROGRAMS: readonly string[] = ['Cursor', 'Cline'];
