export type { ConsoleBootstrap } from './configuration/apply-bootstrap.js';
export { ConfigurationError } from './configuration/read-configuration.js';
export { type ConsolePlaneOptions, startConsolePlane } from './start-console-plane.js';
