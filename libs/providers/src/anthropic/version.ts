/** Header that names the version of the API. */
export const VERSION_HEADER = 'anthropic-version';
/** For requests whose client names none. */
export const VERSION = '2023-06-01';
