import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePorts } from '@mg/testkit';
import type { Manifest } from '../deploy/render-kustomization.js';

const READY_WITHIN_MS = 180_000;
const STEP_MS = 200;
const LOG_CHARACTERS = 4_000;
/** Plurals that are not the kind and an `s`. */
const PLURALS: Readonly<Record<string, string>> = { Ingress: 'ingresses', NetworkPolicy: 'networkpolicies' };
const CLUSTER_WIDE = ['Namespace', 'CustomResourceDefinition'];

/** What the API server said to one request. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** Of its `Warning` headers: Pod Security, fields that are going to be removed. */
  readonly warnings: readonly string[];
}

/** A kube-apiserver with an etcd of its own on loopback, and nothing else of a cluster: nothing runs what it takes. */
export class ApiServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'model-gateway-apiserver-'));
  readonly #token = randomBytes(16).toString('hex');
  readonly #children: ChildProcess[] = [];
  #log = '';
  #port = 0;

  /** @throws Error with the last lines of both when it is not ready in three minutes. */
  async start(etcd: string, apiserver: string): Promise<void> {
    const [clients = 0, peers = 0, port = 0] = await findFreePorts(3);
    this.#port = port;
    const url = `http://127.0.0.1:${clients}`;
    const peerUrl = `http://127.0.0.1:${peers}`;
    this.#run(etcd, {
      'data-dir': join(this.#folder, 'etcd'),
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': `default=${peerUrl}`,
      'unsafe-no-fsync': 'true',
    });
    const tokens = join(this.#folder, 'tokens.csv');
    writeFileSync(tokens, `${this.#token},check,check,system:masters\n`, { mode: 0o600 });
    const key = join(this.#folder, 'service-accounts.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
    const certificates = join(this.#folder, 'certificates');
    mkdirSync(certificates);
    this.#run(apiserver, {
      'etcd-servers': url,
      'bind-address': '127.0.0.1',
      'advertise-address': '127.0.0.1',
      'secure-port': String(port),
      'cert-dir': certificates,
      'token-auth-file': tokens,
      'authorization-mode': 'RBAC',
      'service-cluster-ip-range': '10.96.0.0/16',
      'service-account-issuer': 'https://kubernetes.default.svc',
      'service-account-key-file': key,
      'service-account-signing-key-file': key,
    });
    await this.#waitUntilReady();
  }

  /** Server-side apply, in which a field that the API does not know is an error. */
  apply(manifest: Manifest): Promise<ApiAnswer> {
    const query = 'fieldManager=model-gateway&fieldValidation=Strict';
    const path = `${collectionOf(manifest)}/${manifest.metadata.name}?${query}`;
    return this.#ask('PATCH', path, JSON.stringify(manifest), 'application/apply-patch+yaml');
  }

  /** Asks whether a pod would be taken, as the controller of a workload would make it; it is not kept. */
  tryPod(namespace: string, pod: object): Promise<ApiAnswer> {
    const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All&fieldValidation=Strict`;
    return this.#ask('POST', path, JSON.stringify(pod), 'application/json');
  }

  get(path: string): Promise<ApiAnswer> {
    return this.#ask('GET', path);
  }

  async stop(): Promise<void> {
    for (const child of this.#children.toReversed()) {
      if (child.exitCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(program: string, flags: Readonly<Record<string, string>>): void {
    const parameters = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#log = (this.#log + text).slice(-LOG_CHARACTERS);
      });
    }
    this.#children.push(child);
  }

  async #waitUntilReady(): Promise<void> {
    const deadline = Date.now() + READY_WITHIN_MS;
    for (;;) {
      const answer = await this.get('/readyz').catch(() => undefined);
      if (answer?.status === 200) return;
      if (Date.now() > deadline || this.#children.some(({ exitCode }) => exitCode !== null)) {
        throw new Error(`The API server is not ready:\n${this.#log}`);
      }
      await delay(STEP_MS);
    }
  }

  async #ask(method: string, path: string, body = '', type = 'application/json'): Promise<ApiAnswer> {
    // The certificate that it made for itself, read anew: it is not there before the server listens.
    const ca = readFileSync(join(this.#folder, 'certificates/apiserver.crt'));
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': type };
    return await new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port: this.#port, method, path, headers, ca }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => (text += more));
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text,
            warnings: response.headersDistinct['warning'] ?? [],
          }),
        );
      });
      call.once('error', reject);
      call.end(body);
    });
  }
}

/** Where the API keeps things of this kind: `/apis/apps/v1/namespaces/model-gateway/deployments`. */
function collectionOf({ apiVersion, kind, metadata }: Manifest): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = PLURALS[kind] ?? `${kind.toLowerCase()}s`;
  return CLUSTER_WIDE.includes(kind)
    ? `${group}/${plural}`
    : `${group}/namespaces/${metadata.namespace}/${plural}`;
}
