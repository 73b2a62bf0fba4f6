/** Rows of one page of a list. */
export interface PageSize {
  /** Where the caller names none. */
  readonly usual: number;
  readonly most: number;
}

/** Lists of OpenAI's API. */
export const OPENAI_PAGE: PageSize = { usual: 20, most: 100 };
/** Lists of the native video API; no more pages are counted either. */
export const NATIVE_PAGE: PageSize = { usual: 10, most: 500 };
