export * from './probe/probe-channel.js';
export * from './upstream/buffered-body.js';
export * from './upstream/http-upstream.js';
export * from './upstream/join-url.js';
export * from './upstream/local-upstream.js';
export * from './upstream/upstream-call.js';
