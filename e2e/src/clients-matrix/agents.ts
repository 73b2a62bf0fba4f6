import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, readGuide } from './read-guide.js';

/** A task of an agent: to write one file, with a model of the gateway. */
export interface Task extends Connection {
  readonly prompt: string;
  /** Folder of the agent's own settings; its HOME. */
  readonly home: string;
}

/** What makes an agent work without somebody at a terminal, and call nothing but the gateway. */
export interface AgentRun {
  /** Stand after the last word of the text that starts it. */
  readonly parameters: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A coding agent as its users install it, started by the text that Connect shows for it. */
export interface Agent {
  /** As Connect names it. */
  readonly name: string;
  /** Its program, below the folder in which clients are installed. */
  readonly program: string;
  /** Whether it asks for a package of npm when it starts, which fails and is no fault. */
  readonly asksForPackages?: boolean;
  /** The text, where it is another one. */
  readonly write?: (connection: Connection) => string;
  /** Turns telemetry, updates and whatever else calls out off, by its own settings. */
  prepare(task: Task): Promise<AgentRun>;
}

const claudeCode: Agent = {
  name: 'Claude Code',
  program: 'npm/node_modules/.bin/claude',
  prepare: async ({ prompt }) => ({
    parameters: ['-p', prompt, '--allowedTools', 'Write', '--output-format', 'text'],
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    },
  }),
};

const codex: Agent = {
  name: 'Codex',
  program: 'npm/node_modules/.bin/codex',
  async prepare({ prompt, home }) {
    const folder = join(home, '.codex');
    await mkdir(folder, { recursive: true });
    // Ends with a table, as Codex leaves it: what the text adds must not become a part of that.
    const settings = `check_for_update_on_startup = false

[analytics]
enabled = false

[features]
plugins = false
apps = false`;
    await writeFile(join(folder, 'config.toml'), settings);
    return { parameters: ['exec', '--sandbox', 'danger-full-access', prompt] };
  },
};

const geminiCli: Agent = {
  name: 'Gemini CLI',
  program: 'npm/node_modules/.bin/gemini',
  async prepare({ prompt, home }) {
    const folder = join(home, '.gemini');
    await mkdir(folder, { recursive: true });
    const settings = {
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      // What is chosen in the dialog of its first start, as the page says.
      security: { auth: { selectedType: 'gemini-api-key' } },
    };
    await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
    return {
      parameters: ['--approval-mode', 'yolo', '--skip-trust', '--prompt', prompt],
      env: { GEMINI_TELEMETRY_ENABLED: 'false' },
    };
  },
};

/** The same, which names the models that it is made for. */
export const GEMINI_WITHOUT_MODEL: Agent = {
  ...geminiCli,
  write: (connection) => readGuide(geminiCli.name, connection).replace(` --model ${connection.model}`, ''),
};

const opencode: Agent = {
  name: 'opencode',
  // For the package of its plugins, at each start with a new HOME.
  asksForPackages: true,
  program: 'npm/node_modules/.bin/opencode',
  async prepare({ prompt, home }) {
    const folder = join(home, '.config/opencode');
    await mkdir(folder, { recursive: true });
    // Of its user; those of the folder are what the text writes.
    const settings = {
      autoupdate: false,
      share: 'disabled',
      permission: { edit: 'allow', bash: 'allow', external_directory: 'allow' },
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
  async prepare({ prompt, home }) {
    const caches = join(home, '.aider/caches');
    await mkdir(caches, { recursive: true });
    // It fetches a list of prices unless it has one of today.
    await writeFile(join(caches, 'model_prices_and_context_window.json'), '{"none": {}}');
    return {
      parameters: [
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
      // Its list of models comes with it.
      env: { LITELLM_LOCAL_MODEL_COST_MAP: 'True' },
    };
  },
};

export const AGENTS: readonly Agent[] = [claudeCode, codex, geminiCli, opencode, aider];
