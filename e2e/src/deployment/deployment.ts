import type { FakeJobs, FakeUpstream } from '@mg/testkit';
import type { ComposeProject } from '../compose/compose-project.js';

/** A running gateway with everything around it, as a caller and an operator meet it. */
export interface Deployment {
  /** Address of the gateway plane, without a path. */
  readonly gatewayUrl: string;
  readonly consoleUrl: string;
  /** Addresses of the processes behind `gatewayUrl`, each with metrics of its own. */
  readonly gateways: readonly string[];
  /** Health addresses of every plane that has its own. */
  readonly healthUrls: readonly string[];
  readonly upstream: FakeUpstream;
  /** Job APIs of video providers. */
  readonly jobs: FakeJobs;
  /** The containers, where it is made of such. */
  readonly project?: ComposeProject;
  /** Every line that the processes have printed so far. */
  readOutput(): string;
  /** Processes that have ended, which none should before the stop: their names, and what is known of their ends. */
  listEnded(): readonly string[];
  /** Replaces the content of the configuration file. */
  writeConfiguration(text: string): Promise<void>;
  readConfiguration(): Promise<string>;
  /** Ends the process of the gateway plane as a power cut does, starts it again and waits until it is ready. */
  crashGateway(): Promise<void>;
  /** The same of the process of a video worker. */
  crashWorker(): Promise<void>;
  /** Stops everything and answers the exit code of each process by name. */
  stop(): Promise<Readonly<Record<string, number | null>>>;
}

/** One way of running the planes. */
export interface DeploymentKind {
  readonly name: string;
  /** How much of the table of SDKs and channel types is walked: every row, or one a protocol. */
  readonly sdkTable: 'whole' | 'short';
  /** Whether calls reach the gateway itself: a proxy before it answers on its own when a gateway is away. */
  readonly isDirect: boolean;
  /** Whether one process is all planes: it has no worker that could end alone, and its memory is that of everything. */
  readonly isOneProcess: boolean;
  start(): Promise<Deployment>;
}
