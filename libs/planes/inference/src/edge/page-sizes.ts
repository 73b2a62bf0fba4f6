/** Rows of one page of a list. */
export interface PageSize {
  /** Where the caller names none. */
  readonly usual: number;
  readonly most: number;
}

/** Lists of OpenAI's API. */
export const OPENAI_PAGE: PageSize = { usual: 20, most: 100 };
/** Lists of Anthropic's message batches. */
export const MESSAGE_BATCH_PAGE: PageSize = { usual: 20, most: 1_000 };
/** Lists of Anthropic's files. */
export const ANTHROPIC_FILE_PAGE: PageSize = { usual: 20, most: 1_000 };
/** Lists of Google's batches. */
export const GOOGLE_BATCH_PAGE: PageSize = { usual: 20, most: 100 };
/** Lists of Google's files. */
export const GOOGLE_FILE_PAGE: PageSize = { usual: 10, most: 100 };
/** Lists of the native video API; no more pages are counted either. */
export const NATIVE_PAGE: PageSize = { usual: 10, most: 500 };
