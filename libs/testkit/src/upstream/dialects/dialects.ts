import { anthropicMessages } from './anthropic-messages.js';
import { azureChat, azureResponses } from './azure.js';
import { bedrockConverse } from './bedrock-converse.js';
import { bedrockInvoke } from './bedrock.js';
import type { Dialect } from './dialect.js';
import { geminiGenerate } from './gemini-generate.js';
import { openaiChat } from './openai-chat.js';
import { openaiCompletions } from './openai-completions.js';
import { openaiResponses } from './openai-responses.js';
import { LOOK_ALIKES } from '../look-alikes/look-alikes.js';
import { vertexClaude, vertexGemini } from './vertex.js';

const DIALECTS: readonly Dialect[] = [
  openaiChat,
  openaiResponses,
  openaiCompletions,
  anthropicMessages,
  geminiGenerate,
  bedrockInvoke,
  bedrockConverse,
  vertexGemini,
  vertexClaude,
  azureChat,
  azureResponses,
  ...LOOK_ALIKES,
];

/** The dialect that is spoken at a path, in chats or to count, or `undefined`. */
export function findDialect(path: string): Dialect | undefined {
  return DIALECTS.find(({ path: chat, counting }) => chat.test(path) || counting?.path.test(path));
}
