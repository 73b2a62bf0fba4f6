import { ChatStreamTap } from '../openai-chat/tap-stream.js';
import { listCompletionTexts } from './read-produced-text.js';

/** Reads along a stream of text completions that is forwarded as it is: framed like a chat's, with the text in its choices. */
export class CompletionStreamTap extends ChatStreamTap {
  constructor(options: { readonly withholdUsage: boolean }) {
    super({ ...options, listTexts: listCompletionTexts });
  }
}
