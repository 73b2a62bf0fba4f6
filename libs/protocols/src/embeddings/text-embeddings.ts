import type { ChannelFormat } from '../exchange/create-exchange.js';
import { writeJson } from '../exchange/write-json.js';
import { parseOpenAiError } from '../openai-chat/errors.js';
import {
  type EmbeddingReply,
  type EmbeddingRequest,
  type EmbeddingTask,
  needTexts,
  splitIntoLots,
} from './embedding.js';

/** A request as a channel has it. */
export interface WireRequest {
  readonly model: string;
  readonly texts: readonly string[];
  readonly dimensions: number | undefined;
  /** The channel's own name for what the vectors are for. */
  readonly task: string | undefined;
}

/** How a channel that embeds texts, and nothing else, differs from the others. */
export interface TextEmbeddings {
  /** Most texts of one request; any number when left out. */
  readonly maxTexts?: number;
  readonly tasks: Partial<Record<EmbeddingTask, string>>;
  /** For channels that require a task: the one of clients who name none, or one that the channel does not know. */
  readonly defaultTask?: string;
  write(request: WireRequest): Readonly<Record<string, unknown>>;
  readonly decodeReply: ChannelFormat<EmbeddingRequest, EmbeddingReply>['decodeReply'];
}

/** A channel's format out of what is its own. */
export function defineTextEmbeddings(
  format: TextEmbeddings,
): ChannelFormat<EmbeddingRequest, EmbeddingReply> {
  const { maxTexts, tasks, defaultTask, write, decodeReply } = format;
  return {
    encodeRequest: ({ inputs, dimensions, task, user }, { model, channelType, dropped, traits }) => {
      if (user !== undefined) dropped.add('user');
      const word = task === undefined || task === 'mixed' ? undefined : tasks[task];
      if (task !== undefined && word === undefined) dropped.add('taskType');
      return splitIntoLots(needTexts(inputs, channelType), traits.maxInputs ?? maxTexts).map((texts) =>
        writeJson(write({ model, texts, dimensions, task: word ?? defaultTask })),
      );
    },
    decodeReply,
    parseUpstreamError: parseOpenAiError,
  };
}
