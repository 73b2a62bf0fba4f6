import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A task of an agent: to write one file, with a model of the gateway. */
export interface Task {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly model: string;
  readonly prompt: string;
  /** Folder of the agent's own settings; its HOME. */
  readonly home: string;
  /** Folder that it works in, a git repository. */
  readonly folder: string;
}

/** How an agent is started. */
export interface AgentRun {
  readonly parameters: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A coding agent as its users install it, with nothing changed but the gateway's address, key and model. */
export interface Agent {
  readonly name: string;
  /** Its program, below the folder in which clients are installed. */
  readonly program: string;
  /** Whether it asks for a package of npm when it starts, which fails and is no fault. */
  readonly asksForPackages?: boolean;
  /** Writes its settings. Telemetry, updates and whatever else calls out is off by its own settings. */
  prepare(task: Task): Promise<AgentRun>;
}

const claudeCode: Agent = {
  name: 'Claude Code',
  program: 'npm/node_modules/.bin/claude',
  prepare: async ({ gatewayUrl, apiKey, model, prompt }) => ({
    parameters: ['-p', prompt, '--allowedTools', 'Write', '--output-format', 'text'],
    env: {
      ANTHROPIC_BASE_URL: gatewayUrl,
      ANTHROPIC_AUTH_TOKEN: apiKey,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    },
  }),
};

const codex: Agent = {
  name: 'Codex',
  program: 'npm/node_modules/.bin/codex',
  async prepare({ gatewayUrl, apiKey, model, prompt, home }) {
    const folder = join(home, '.codex');
    await mkdir(folder, { recursive: true });
    const settings = `model = "${model}"
model_provider = "gateway"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false
apps = false

[model_providers.gateway]
name = "Model Gateway"
base_url = "${gatewayUrl}/v1"
env_key = "MODEL_GATEWAY_KEY"
wire_api = "responses"
`;
    await writeFile(join(folder, 'config.toml'), settings);
    return {
      parameters: ['exec', '--sandbox', 'danger-full-access', prompt],
      env: { CODEX_HOME: folder, MODEL_GATEWAY_KEY: apiKey },
    };
  },
};

const geminiCli: Agent = {
  name: 'Gemini CLI',
  program: 'npm/node_modules/.bin/gemini',
  prepare: (task) => prepareGemini(task, ['--model', task.model]),
};

/** The same, which names the models that it is made for. */
export const GEMINI_WITHOUT_MODEL: Agent = { ...geminiCli, prepare: (task) => prepareGemini(task, []) };

async function prepareGemini(
  { gatewayUrl, apiKey, prompt, home }: Task,
  choice: readonly string[],
): Promise<AgentRun> {
  const folder = join(home, '.gemini');
  await mkdir(folder, { recursive: true });
  const settings = {
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    security: { auth: { selectedType: 'gemini-api-key' } },
  };
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
  return {
    parameters: [...choice, '--approval-mode', 'yolo', '--skip-trust', '--prompt', prompt],
    env: { GOOGLE_GEMINI_BASE_URL: gatewayUrl, GEMINI_API_KEY: apiKey, GEMINI_TELEMETRY_ENABLED: 'false' },
  };
}

const opencode: Agent = {
  name: 'opencode',
  // For the package of its plugins, at each start with a new HOME.
  asksForPackages: true,
  program: 'npm/node_modules/.bin/opencode',
  async prepare({ gatewayUrl, apiKey, model, prompt, folder }) {
    const settings = {
      $schema: 'https://opencode.ai/config.json',
      model: `gateway/${model}`,
      small_model: `gateway/${model}`,
      autoupdate: false,
      share: 'disabled',
      permission: { edit: 'allow', bash: 'allow', external_directory: 'allow' },
      provider: {
        gateway: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Model Gateway',
          options: { baseURL: `${gatewayUrl}/v1`, apiKey },
          models: { [model]: {} },
        },
      },
    };
    await writeFile(join(folder, 'opencode.json'), JSON.stringify(settings));
    return {
      parameters: ['run', prompt],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      },
    };
  },
};

const aider: Agent = {
  name: 'aider',
  program: 'python/aider/bin/aider',
  async prepare({ gatewayUrl, apiKey, model, prompt, home }) {
    const caches = join(home, '.aider/caches');
    await mkdir(caches, { recursive: true });
    // It fetches a list of prices unless it has one of today.
    await writeFile(join(caches, 'model_prices_and_context_window.json'), '{"none": {}}');
    return {
      parameters: [
        '--model',
        `openai/${model}`,
        '--edit-format',
        'whole',
        '--yes-always',
        '--message',
        prompt,
        '--no-check-update',
        '--analytics-disable',
        '--no-show-model-warnings',
        '--no-auto-commits',
        '--no-show-release-notes',
        '--no-detect-urls',
      ],
      env: {
        OPENAI_API_BASE: `${gatewayUrl}/v1`,
        OPENAI_API_KEY: apiKey,
        // Its list of models comes with it.
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
      },
    };
  },
};

export const AGENTS: readonly Agent[] = [claudeCode, codex, geminiCli, opencode, aider];
