import { describe, expect, it } from 'vitest';
import { readProjects, resolveImport, withoutComments } from './workspace.js';

const PROTOCOLS = 'libs/protocols/src';
const REGISTRY = `${PROTOCOLS}/chat/chat-protocols.ts`;
const projects = readProjects();
const product = projects
  .filter(({ folder }) => /^(apps|libs)\//.test(folder) && folder !== 'libs/testkit')
  .flatMap((project) => project.sources)
  .filter(({ path, isTest }) => !isTest && !path.startsWith(`${PROTOCOLS}/matrix/`));

/** Folders with a line in the registry. */
const names = product
  .filter(({ path }) => path === REGISTRY)
  .flatMap(({ imports }) =>
    imports.map((specifier) => /^\.\.\/([a-z-]+)\/index\.js$/.exec(specifier)?.[1] ?? []),
  )
  .flat();

/** Protocol whose folder a file stands in. */
function protocolOf(path: string): string | undefined {
  return names.find((name) => path.startsWith(`${PROTOCOLS}/${name}/`));
}

/** Places that name a protocol although they are neither its folder nor the registry, and why. */
const NAMED_ELSEWHERE: Readonly<Record<string, string>> = {
  'libs/providers/src/': 'a provider says which protocols it speaks',
  'libs/planes/inference/src/edge/': 'what reaches no operation is answered in the dialect of its client',
  'libs/planes/inference/src/http/':
    'endpoints that are no chats answer errors in the dialect of their clients',
  'libs/planes/inference/src/operations/channel-test/':
    'the one request of a test is written in one protocol',
  'libs/planes/inference/src/operations/compact/': 'one protocol has an endpoint that compacts',
  'libs/planes/inference/src/operations/count-tokens/': 'two protocols have an endpoint that counts tokens',
  'libs/planes/inference/src/operations/chat/read-gemini-chat.ts':
    "Google's paths name the model and the method, so its endpoint is not like the others",
  'libs/planes/inference/src/operations/exchange/': 'exchanges answer errors as chats of OpenAI do',
  'libs/planes/inference/src/operations/video/': 'orders of videos answer errors as chats of OpenAI do',
  'libs/protocols/src/openai-chat/':
    "the Responses API is the same provider's, and signatures of others ride along",
  'libs/protocols/src/openai-responses/':
    "chat completions are the same provider's: files and fields are shared",
};

/** Protocol that another one shares its errors, usage and stream with. */
const MAY_IMPORT: Readonly<Record<string, string>> = {
  'openai-responses': 'openai-chat',
  'openai-completions': 'openai-chat',
};

describe('protocols', () => {
  it('are folders and one line of the registry each', () => {
    expect(names).toContain('openai-chat');
    expect(names.length).toBe(new Set(names).size);
    const registry = product.find(({ path }) => path === REGISTRY)?.text ?? '';
    for (const name of names) expect(registry.split(`'${name}':`)).toHaveLength(2);
  });

  it('are named nowhere outside their folders and the registry', () => {
    const quoted = new RegExp(`(['"\`])(${names.join('|')})\\1`, 'g');
    const allowed = Object.keys(NAMED_ELSEWHERE);
    const broken = product
      .filter(({ path }) => path !== REGISTRY && !allowed.some((place) => path.startsWith(place)))
      .flatMap((file) => {
        const named = [...withoutComments(file).matchAll(quoted)].map(([, , name]) => name);
        return named.filter((name) => name !== protocolOf(file.path)).map((name) => `${file.path}: ${name}`);
      });
    expect(broken).toEqual([]);
  });

  it('do not import each other', () => {
    const broken = product.flatMap((file) => {
      const own = protocolOf(file.path);
      if (own === undefined) return [];
      return file.imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => protocolOf(resolveImport(file, specifier)))
        .filter((other) => other !== undefined && other !== own && other !== MAY_IMPORT[own])
        .map((other) => `${file.path} imports ${other}`);
    });
    expect(broken).toEqual([]);
  });
});

describe('names of models', () => {
  const FAMILY =
    /\b(?:gpt-\d|gpt-oss|gpt-image|seedance|seedream|hailuo|chatgpt|o[134]-|claude-|gemini-(?:\d|pro|flash)|gemma|grok-|deepseek-|kimi-|qwen\d|mistral-|llama-?\d|dall-e|whisper-\d|sora-|veo-|imagen-\d|nova-)/i;

  it('stand in providers only: what is known of models is a trait', () => {
    const broken = product
      .filter(({ path }) => !path.startsWith('libs/providers/') && !path.startsWith('apps/console-web/'))
      .flatMap((file) =>
        withoutComments(file)
          .split('\n')
          .filter((line) => FAMILY.test(line))
          .map((line) => `${file.path}: ${line.trim()}`),
      );
    expect(broken).toEqual([]);
  });
});
