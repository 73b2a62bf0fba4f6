import type { EncodeContext } from '../canonical/codec.js';
import type { ModelTraits } from '../canonical/model-traits.js';

/** How models behind Anthropic's messages differ from each other. */
export interface AnthropicMessagesTraits extends ModelTraits {
  /** Thinking is asked for by effort and not by a budget; as the client asked for it when left out. */
  readonly supportsAdaptiveThinking?: boolean;
  /** Whether the model thinks unless it is told not to. */
  readonly thinksByDefault?: boolean;
  /**
   * What switches thinking off: a `thinking.type`, `disabled` when left out; `omitted` where leaving `thinking` out does,
   * `lowest_effort` where nothing does.
   */
  readonly thinkingOff?: 'disabled' | 'between_tools' | 'omitted' | 'lowest_effort';
  /** A call of a tool can be forced; `true` when left out. */
  readonly supportsForcedToolChoice?: boolean;
  /** `temperature` and `top_p` may be set together; `true` when left out. */
  readonly supportsTemperatureWithTopP?: boolean;
  /** What is marked with `cache_control` is kept in the provider's cache; `false` when left out. */
  readonly cachesMarked?: boolean;
  /** A conversation may end in a turn of the assistant that is continued; `true` when left out. */
  readonly supportsPrefill?: boolean;
}

/** The model and channel that a request of this protocol is written for. */
export type AnthropicMessagesContext = EncodeContext<AnthropicMessagesTraits>;
