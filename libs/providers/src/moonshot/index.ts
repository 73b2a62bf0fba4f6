import type { TraitsOf } from '@mg/protocols';
import { defineLookAlike } from '../look-alike.js';

const SINCE_K2_5 = /^kimi-k(?:2\.[5-9]|[3-9])/;
const TRAITS: TraitsOf<'openai-chat'> = {
  reasoningField: 'reasoning_content',
  acceptsReasoningHistory: true,
  supportsJsonSchema: false,
  userField: 'none',
  supportsMaxCompletionTokens: false,
};

/**
 * Moonshot (Kimi). Since K2.5 its models sample as they will, and think unless told not to; all that think want the
 * reasoning of a loop of calls back.
 *
 * @see https://platform.moonshot.ai/docs/api/chat
 */
export const moonshot = defineLookAlike({
  id: 'moonshot',
  title: 'Moonshot (Kimi)',
  defaultBaseUrl: 'https://api.moonshot.ai/v1',
  environmentKey: 'MOONSHOT_API_KEY',
  priceSource: 'moonshotai',
  thinkingSwitch: { field: 'thinking', keepsEffort: false },
  traits: (model) =>
    SINCE_K2_5.test(model)
      ? { ...TRAITS, supportsSampling: false, requiresReasoningReplay: true }
      : { ...TRAITS, efforts: [] },
  models: [
    { slug: 'kimi-k3', kind: 'chat' },
    { slug: 'kimi-k2.6', kind: 'chat' },
  ],
});
