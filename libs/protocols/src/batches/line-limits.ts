/** Longest request of a batch, as JSON: enough for the longest context that any model takes, as text. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;
