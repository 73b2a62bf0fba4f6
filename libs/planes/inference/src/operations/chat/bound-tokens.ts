import { omitUndefined, type Price, type ToolFee } from '@mg/contract';
import { type CallBounds, coversMeter, coversTier } from '@mg/pricing';
import type { Demand, HostedTool } from '@mg/protocols';

/** Uses of a tool that the provider runs, in one call whose caller set no limit. */
export const USUAL_TOOL_USES = 5;

/** A token-priced call before it is sent: what it may use at most, and what its caller limited. */
export interface CallSize {
  /** What the request brings and asks for. */
  readonly demand: Demand;
  /** Tokens that one image costs at most. */
  readonly imageTokens: number;
  /** Most tokens that one prompt of the model can have. */
  readonly contextWindow: number;
  /** Whether the model's context window is known; otherwise a bound that is safe for every model stands for it. */
  readonly windowKnown: boolean;
  /** The caller's own cap on one answer's tokens. */
  readonly maxTokens: number | undefined;
  /** Answers asked for; each may use the cap. */
  readonly choices: number;
  /** Tokens of reasoning of all answers that no cap counts. */
  readonly uncappedReasoning: number;
}

/** Something of a request that the model's price does not cover. */
export interface Unpriced {
  /** Field of the request that names it. */
  readonly param: string;
  readonly name: string;
  readonly kind: 'tool' | 'tier';
}

/** What of a request the model has no price for: it must not reach a provider, or somebody would have it for nothing. */
export function listUnpriced({ tools, tier }: Demand, price: Price): readonly Unpriced[] {
  const refused = tools
    .filter((tool) => !isCovered(tool, price))
    .map(({ param, name }): Unpriced => ({ param, name, kind: 'tool' }));
  return tier === undefined || coversTier(price, tier.name)
    ? refused
    : [...refused, { ...tier, kind: 'tier' }];
}

function isCovered({ fee }: HostedTool, price: Price): boolean {
  return fee !== 'unknown' && (fee === 'tokens' || coversMeter(price, fee));
}

/** Whether the caller left a tool that costs without a limit, so that the gateway has to set one. */
export function leavesToolsOpen({ tools, maxRounds }: Demand): boolean {
  return tools.length > 0 && (maxRounds === undefined || tools.some(({ uses }) => uses === undefined));
}

/** Tokens of the prompt as it is sent: a token is at least a byte, and no prompt is longer than the model's context. */
export function boundPrompt({ demand, imageTokens, contextWindow, windowKnown }: CallSize): number {
  const { textBytes, images, unboundedField } = demand;
  if (unboundedField !== undefined) return contextWindow;
  const tokens = textBytes + images * imageTokens;
  return windowKnown ? Math.min(tokens, contextWindow) : tokens;
}

/**
 * The most that a call may use.
 *
 * A tool that the provider runs puts what it found into the prompt and has the model read all of it again: each round is
 * billed like a prompt of its own, and may fill the model's context.
 *
 * @param toolUses limit that the gateway sets for tools that the caller left open.
 * @param answerTokens of one answer.
 */
export function boundCall(size: CallSize, price: Price, toolUses: number, answerTokens: number): CallBounds {
  const { demand, contextWindow, choices } = size;
  const tools = demand.tools.filter((tool) => isCovered(tool, price));
  const used = (fee: ToolFee) =>
    tools.filter((tool) => tool.fee === fee).reduce((sum, tool) => sum + countMostUses(tool, toolUses), 0);
  const wanted = tools.reduce((sum, tool) => sum + countMostRounds(tool, toolUses), 0);
  // A limit of the request is none to a provider that searches at will.
  const atWill = tools.reduce((most, tool) => Math.max(most, tool.atWill?.rounds ?? 0), 0);
  const rounds = Math.min(wanted, Math.max(demand.maxRounds ?? toolUses, atWill)) + demand.compactions;
  return omitUndefined({
    promptTokens: boundPrompt(size) + rounds * contextWindow,
    outputTokens: answerTokens * (choices + demand.compactions) + countUncapped(size),
    webSearches: used('per_web_search'),
    fileSearches: used('per_file_search'),
    codeSessions: used('per_code_session'),
    tiers: demand.tier && coversTier(price, demand.tier.name) ? [demand.tier.name] : undefined,
  });
}

/** Output that is billed beside what the caps of the answers count. */
export function countUncapped({ demand, uncappedReasoning }: CallSize): number {
  return demand.extraOutputTokens + uncappedReasoning;
}

/**
 * Paid uses of a tool at any channel.
 *
 * @param toolUses limit of the gateway where the caller has none.
 */
export function countMostUses({ uses, atWill }: HostedTool, toolUses: number): number {
  return Math.max(uses ?? toolUses, atWill?.uses ?? 0);
}

function countMostRounds({ uses, rounds, atWill }: HostedTool, toolUses: number): number {
  if (atWill?.everywhere) return atWill.rounds;
  return Math.max(rounds ?? uses ?? toolUses, atWill?.rounds ?? 0);
}
