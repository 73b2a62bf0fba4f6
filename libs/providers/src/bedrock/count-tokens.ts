/** The name of a model of Anthropic's, alone or at the end of a profile's name or of an ARN. */
const COUNTED = /(?:^|[./])(anthropic\.[^/]+)$/;
/** Counting produces no answer, but what is counted has to be a whole request. */
export const MAX_TOKENS = 1;

/**
 * The name under which a model's tokens are counted: that of the model itself, since profiles of regions are refused.
 * Models of other makers, and profiles of one's own whose ARN names no model, are not counted.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/count-tokens.html
 */
export function findCounted(model: string): string | undefined {
  return COUNTED.exec(model)?.[1];
}
