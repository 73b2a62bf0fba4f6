import { omitUndefined, type ToolFee, type Usage } from '@mg/contract';
import type { DroppedFields } from '../../call/dropped-fields.js';
import type { ChatHold } from './bound-chat.js';
import { countMostUses } from './bound-tokens.js';

/** What counts the uses that a fee is charged for. */
const COUNTS = {
  per_web_search: 'webSearches',
  per_file_search: 'fileSearches',
  per_code_session: 'codeSessions',
} as const satisfies Record<ToolFee, keyof Usage>;

const FEES = Object.keys(COUNTS) as ToolFee[];

/** What had to be left out of the request. */
interface AnsweredAttempt {
  readonly dropped: DroppedFields | undefined;
}

/**
 * Usage as it is billed: the tools and the tier that money was held for, and no more uses than it was held for.
 *
 * A tier is billed unless the channel cannot be asked for it, or the provider says that it served by the usual one. Which
 * tier an account serves by itself is the operator's choice, whose price is the model's own.
 */
export function billUsage(
  usage: Usage,
  { demand, toolUses = 0 }: ChatHold,
  attempt?: AnsweredAttempt,
): Usage {
  if (demand.tools.length === 0 && demand.tier === undefined && isOfTokensAlone(usage)) return usage;
  const { webSearches: _web, fileSearches: _file, codeSessions: _code, tier: served, ...tokens } = usage;
  const counts = FEES.flatMap((fee) => {
    const asked = demand.tools.filter((tool) => tool.fee === fee);
    const most = asked.reduce((sum, tool) => sum + countMostUses(tool, toolUses), 0);
    const certain = asked.reduce((sum, { unreported, uses = 0 }) => sum + (unreported ? uses : 0), 0);
    const used = Math.min(most, Math.max(usage[COUNTS[fee]] ?? 0, certain));
    return used === 0 ? [] : [[COUNTS[fee], used] as const];
  });
  const { tier } = demand;
  const isServed = tier !== undefined && served !== 'standard' && !attempt?.dropped?.has('service_tier');
  return {
    ...tokens,
    ...Object.fromEntries(counts),
    ...omitUndefined({ tier: isServed ? tier.name : undefined }),
  };
}

/** As nearly all usage is: without tools and without a tier. */
function isOfTokensAlone({ webSearches, fileSearches, codeSessions, tier }: Usage): boolean {
  return (webSearches ?? fileSearches ?? codeSessions ?? tier) === undefined;
}
