import type { ReasoningEffort } from './request.js';

/**
 * How a model differs from its protocol, as data that the provider's folder fills. Here stands what models of several
 * protocols may differ in; a protocol's folder adds its own in `traits.ts`. What is left out is as the protocol has it.
 */
export interface ModelTraits {
  /** Longest answer in tokens; without it a caller's own limit is not lowered. */
  readonly maxOutputTokens?: number;
  /** Most tokens of one image, where it is known. */
  readonly imageTokens?: number;
  /** Reasoning efforts that the model knows: an empty list when it cannot be asked to think, any when left out. */
  readonly efforts?: readonly ReasoningEffort[];
  /** Temperature and the like are accepted; `true` when left out. */
  readonly supportsSampling?: boolean;
  /** Answers and arguments of tools may be held to a JSON schema; `true` when left out. */
  readonly supportsJsonSchema?: boolean;
  /** The provider searches the web when it is asked to; `false` when left out. */
  readonly supportsWebSearch?: boolean;
  /** Media may be named by URL, where the protocol knows URLs; `true` when left out. */
  readonly supportsMediaUrls?: boolean;
  /** System turns are accepted later than at the start. */
  readonly supportsLaterSystemTurns?: boolean;
  /** Reasoning of earlier turns is sent back although nothing signed it; `false` when left out. */
  readonly acceptsReasoningHistory?: boolean;
  /** Callers may choose models and providers behind the channel; `false` when left out. */
  readonly allowsUpstreamRouting?: boolean;
}
