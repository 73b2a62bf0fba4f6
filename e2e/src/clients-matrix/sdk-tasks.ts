/** A script that uses what an SDK or a framework does by itself: runs tools, parses answers by a schema, hands over. */
export interface SdkTask {
  readonly name: string;
  /** In `helpers/`. */
  readonly file: string;
  /** Environment of Python in which it runs; Node runs the others. */
  readonly python?: string;
  /** What the model behind it does; `plain` when left out. */
  readonly behaviour?: string;
  /** Whether its packages come with the repository, so that `npm test` runs it too. */
  readonly isInRepository?: boolean;
}

export const SDK_TASKS: readonly SdkTask[] = [
  { name: 'openai (js)', file: 'openai.mjs', isInRepository: true },
  { name: 'anthropic (js)', file: 'anthropic.mjs', isInRepository: true },
  { name: 'google-genai (js)', file: 'google.mjs', isInRepository: true },
  { name: 'openai-agents (js)', file: 'agents.mjs' },
  { name: 'Codex, compacting', file: 'codex.mjs', behaviour: 'writes-a-file' },
  { name: 'batches (js)', file: 'batches.mjs' },
  { name: 'Vercel AI SDK', file: 'vercel.mjs' },
  { name: 'LangChain (js)', file: 'langchain.mjs' },
  { name: 'openai (py)', file: 'openai_sdk.py', python: 'sdks' },
  { name: 'anthropic (py)', file: 'anthropic_sdk.py', python: 'sdks' },
  { name: 'google-genai (py)', file: 'google_sdk.py', python: 'sdks' },
  { name: 'batches (py)', file: 'batches_sdk.py', python: 'sdks' },
  { name: 'openai-agents (py)', file: 'openai_agents.py', python: 'sdks' },
  { name: 'LangChain (py)', file: 'langchain_models.py', python: 'langchain' },
  { name: 'pydantic-ai', file: 'pydantic_agent.py', python: 'pydantic' },
  { name: 'instructor', file: 'instructor_models.py', python: 'instructor' },
  { name: 'llama-index', file: 'llama_index_llm.py', python: 'llama' },
  { name: 'litellm', file: 'litellm_calls.py', python: 'litellm' },
];
