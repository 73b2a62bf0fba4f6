import type { GuideName } from './write-guide.js';

/** What is to be known of a program, in the languages of the page. */
export interface ClientNotes {
  readonly en: readonly string[];
  readonly zh: readonly string[];
}

/** Programs that need more than their guide; `docs/clients.md` is written from both. */
export const CLIENT_NOTES: Partial<Record<GuideName, ClientNotes>> = {
  'Anthropic, Python': {
    en: ['The base URL has no /v1. tool_runner sends the whole conversation: threads are not kept.'],
    zh: ['基础地址不含 /v1。tool_runner 会发送完整对话：网关不保存 thread。'],
  },
  'Anthropic, Node': {
    en: ['The base URL has no /v1. toolRunner sends the whole conversation: threads are not kept.'],
    zh: ['基础地址不含 /v1。toolRunner 会发送完整对话：网关不保存 thread。'],
  },
  'Claude Code': {
    en: [
      'The base URL has no /v1, and the key is ANTHROPIC_AUTH_TOKEN.',
      'Small tasks go to ANTHROPIC_DEFAULT_HAIKU_MODEL: any model of the key.',
      'For a name that it does not know it uses the features of the newest model.',
      'It sends system messages in mid-conversation: servers that refuse them need the setting system_first_only of their channel.',
    ],
    zh: [
      '基础地址不含 /v1，密钥放在 ANTHROPIC_AUTH_TOKEN。',
      '小任务使用 ANTHROPIC_DEFAULT_HAIKU_MODEL：可为该密钥的任一模型。',
      '对不认识的模型名，它会使用最新模型的功能。',
      '它会在对话中途发送系统消息：拒绝此类消息的服务器需要在渠道上设置 system_first_only。',
    ],
  },
  Codex: {
    en: [
      'The base URL ends in /v1, and wire_api is responses.',
      'Its namespaces, free-text tools and searches for tools work over every channel.',
      'It offers a search of the web to models that it knows: such a model needs a price for it (per_web_search).',
      'It compacts over every channel: a provider whose name is OpenAI is asked to, with any other name Codex asks the model for a summary.',
      'Its own provider with openai_base_url set to this address works too, and goes on without a WebSocket.',
    ],
    zh: [
      '基础地址以 /v1 结尾，wire_api 为 responses。',
      '其命名空间、自由文本工具与工具搜索适用于所有渠道。',
      '对它认识的模型会提供网页搜索：此类模型需要设置其价格（per_web_search）。',
      '压缩适用于所有渠道：提供方名为 OpenAI 时由其压缩，否则 Codex 向模型请求摘要。',
      '也可使用其内置提供方并将 openai_base_url 设为此地址；它会改用不带 WebSocket 的方式。',
    ],
  },
  'Gemini CLI': {
    en: [
      'How it signs in has to be chosen once: Use Gemini API Key, in the dialog of its first start or by /auth; without a terminal security.auth.selectedType of ~/.gemini/settings.json is gemini-api-key.',
      'Without --model, and for its own searches, it names models such as gemini-3.5-flash-lite: give a model the alias gemini-*, or the key a default model.',
    ],
    zh: [
      '需选择一次登录方式：首次启动的对话框中或用 /auth 选择 Use Gemini API Key；没有终端时将 ~/.gemini/settings.json 的 security.auth.selectedType 设为 gemini-api-key。',
      '未指定 --model 时以及自带搜索会使用 gemini-3.5-flash-lite 等名称：可为模型设置别名 gemini-*，或为密钥设置默认模型。',
    ],
  },
  Cursor: {
    en: [
      'What it asks a model is sent by its own servers: they have to reach this address, by HTTPS.',
      'Completion while typing stays with its own models.',
    ],
    zh: [
      '它由自己的服务器向模型发送请求：该地址须能从公网以 HTTPS 访问。',
      '输入时的自动补全仍使用其自有模型。',
    ],
  },
  aider: {
    en: ['The name of the model has openai/ before it.'],
    zh: ['模型名前需加 openai/。'],
  },
  LangChain: {
    en: ['With a base URL of its own it asks for usage in streams only with stream_usage.'],
    zh: ['使用自定义基础地址时，只有设置 stream_usage 才会请求流式用量。'],
  },
  LlamaIndex: {
    en: ['OpenAILike takes every model; OpenAI knows those of OpenAI alone.'],
    zh: ['OpenAILike 适用于任意模型；OpenAI 类只认识 OpenAI 的模型。'],
  },
  'Vercel AI SDK': {
    en: [
      'gateway() speaks the Responses API, which remembers over every channel; gateway.chat() and @ai-sdk/openai-compatible speak chat completions.',
    ],
    zh: [
      'gateway() 使用 Responses API，任何渠道都能记住对话；gateway.chat() 与 @ai-sdk/openai-compatible 使用 chat completions。',
    ],
  },
  LiteLLM: {
    en: ['The name of the model has openai/ before it; with anthropic/ the base URL has no /v1.'],
    zh: ['模型名前需加 openai/；使用 anthropic/ 时基础地址不含 /v1。'],
  },
  'OpenAI Agents': {
    en: ['Tracing goes to OpenAI and wants a key of OpenAI, so it is switched off here.'],
    zh: ['追踪数据会发送到 OpenAI 并需要其密钥，因此这里将其关闭。'],
  },
};
