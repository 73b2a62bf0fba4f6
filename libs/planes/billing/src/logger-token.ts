/** What the plane's logger is injected by. */
export const LOGGER = Symbol('Logger');
