import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type IIngress,
  Ingress,
  type INetworkPolicy,
  type INetworkPolicySpec,
  NetworkPolicy,
} from 'kubernetes-models/networking.k8s.io/v1';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture-tests/workspace.js';
import { listWorkloads } from './kubernetes-models.js';
import { renderKustomization } from './render-kustomization.js';

const PLANES = ['billing', 'console', 'gateway', 'video-worker'];
/** Who may speak to whom, and at which port; `internet` is every public address. */
const EDGES = [
  'billing -> postgres:5432',
  'billing -> redis:6379',
  'console -> gateway:8080',
  'console -> internet:443',
  'console -> internet:465',
  'console -> internet:587',
  'console -> postgres:5432',
  'console -> redis:6379',
  'gateway -> internet:443',
  'gateway -> postgres:5432',
  'gateway -> redis:6379',
  'ingress-nginx -> console:8081',
  'ingress-nginx -> gateway:8080',
  'migrate -> postgres:5432',
  'monitoring -> billing:8082',
  'monitoring -> console:8081',
  'monitoring -> gateway:8080',
  'monitoring -> video-worker:8083',
  'video-worker -> gateway:8080',
  'video-worker -> internet:443',
  'video-worker -> postgres:5432',
  'video-worker -> redis:6379',
];

const LONGEST_ANSWER_SECONDS = 15 * 60;

type Peer = NonNullable<NonNullable<INetworkPolicySpec['egress']>[number]['to']>[number];
type Selector = INetworkPolicySpec['podSelector'];

function namesOf(selector: Selector): string[] {
  const label = selector?.matchLabels?.['app.kubernetes.io/name'];
  const values = selector?.matchExpressions?.flatMap((expression) => expression.values ?? []) ?? [];
  return label === undefined ? values : [label];
}

function nameOfPeer({ podSelector, namespaceSelector, ipBlock }: Peer): string[] {
  if (ipBlock)
    return ['0.0.0.0/0', '2000::/3'].includes(ipBlock.cidr) ? ['internet'] : [`cidr ${ipBlock.cidr}`];
  const namespace = namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'];
  return namespace === undefined ? namesOf(podSelector) : [namespace];
}

function policiesOf(overlay: string): readonly INetworkPolicy[] {
  return renderKustomization(overlay).filter((manifest) => NetworkPolicy.is(manifest));
}

/** Every edge that a side of the policies lets through, as `from -> to:port`. */
function listEdges(policies: readonly INetworkPolicy[], side: 'from' | 'to'): string[] {
  const edges = policies.flatMap(({ spec }) => {
    const rules = side === 'from' ? (spec?.ingress ?? []) : (spec?.egress ?? []);
    return rules.flatMap((rule) => {
      const peers = ('from' in rule ? rule.from : (rule as { to?: Peer[] }).to) ?? [];
      const others = peers.flatMap(nameOfPeer);
      const selves = namesOf(spec?.podSelector);
      return selves.flatMap((self) =>
        others.flatMap((other) =>
          (rule.ports ?? []).map(({ port }) =>
            side === 'from' ? `${other} -> ${self}:${port}` : `${self} -> ${other}:${port}`,
          ),
        ),
      );
    });
  });
  return [...new Set(edges)].sort();
}

describe('network of deploy/k8s/overlays/small', () => {
  const policies = policiesOf('deploy/k8s/overlays/small');
  const inside = [...PLANES, 'migrate', 'postgres', 'redis'];

  it('denies what is not allowed, to every pod', () => {
    const deny = policies.find(({ metadata }) => metadata?.name === 'default-deny');
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    for (const { spec } of policies) {
      for (const rule of [...(spec?.ingress ?? []), ...(spec?.egress ?? [])]) {
        expect(rule.ports).not.toHaveLength(0);
        expect('from' in rule ? rule.from : (rule as { to?: Peer[] }).to).not.toHaveLength(0);
      }
    }
  });

  it('lets each plane reach exactly what it needs, and names', () => {
    const leaving = EDGES.filter((edge) => inside.includes(edge.split(' ')[0] ?? ''));
    expect(listEdges(policies, 'to')).toEqual(leaving);
    const dns = policies.find(({ metadata }) => metadata?.name === 'allow-dns')?.spec;
    expect(dns?.podSelector).toEqual({});
    expect(dns?.egress?.flatMap(({ ports }) => ports?.map(({ port }) => port))).toEqual([53, 53]);
  });

  it('lets each pod be reached by exactly those who need it', () => {
    const arriving = EDGES.filter((edge) => inside.includes(/-> ([\w-]+):/.exec(edge)?.[1] ?? ''));
    expect(listEdges(policies, 'from')).toEqual(arriving);
  });

  it('has a policy for every pod', () => {
    const workloads = listWorkloads(renderKustomization('deploy/k8s/overlays/small'));
    const known = policies.flatMap(({ spec }) => namesOf(spec?.podSelector));
    expect(
      workloads
        .map(({ labels }) => labels['app.kubernetes.io/name'])
        .filter((name) => !known.includes(name ?? '')),
    ).toEqual([]);
  });

  it('lets nobody reach private addresses as if they were the internet', () => {
    const blocks = policies
      .flatMap(({ spec }) => spec?.egress ?? [])
      .flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
      .filter(({ cidr }) => cidr === '0.0.0.0/0');
    expect(blocks).toHaveLength(3);
    for (const { except } of blocks) {
      expect(except).toEqual(
        expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16']),
      );
    }
  });
});

describe('network of deploy/k8s/overlays/production', () => {
  it('reaches Postgres and Redis at addresses of their own', () => {
    const policies = policiesOf('deploy/k8s/overlays/production');
    const wanted = EDGES.filter((edge) => /-> (postgres|redis)/.test(edge));
    const managed = listEdges(
      policies.filter(({ metadata }) => metadata?.name?.startsWith('managed-')),
      'to',
    );
    expect(managed.map((edge) => edge.replace(/cidr \S+:(\d+)/, '$1')).sort()).toEqual(
      wanted.map((edge) => edge.replace(/\w+:(\d+)/, '$1')).sort(),
    );
  });
});

describe('doors', () => {
  const ingresses = renderKustomization('deploy/k8s').filter((manifest) => Ingress.is(manifest));
  const hostsOf = ({ spec }: IIngress) => spec?.rules?.map(({ host }) => host);

  it('has one for callers and one for operators, on hosts of their own, with TLS', () => {
    expect(ingresses.map(({ metadata }) => metadata?.name).sort()).toEqual(['console', 'gateway']);
    expect(new Set(ingresses.flatMap(hostsOf)).size).toBe(2);
    for (const ingress of ingresses) {
      expect(ingress.spec?.tls?.flatMap(({ hosts }) => hosts)).toEqual(hostsOf(ingress));
    }
  });

  it('lets streams through as they come, however long they last, and bodies as large as the gateway takes', () => {
    const gateway = ingresses.find(({ metadata }) => metadata?.name === 'gateway');
    const compose = readFileSync(join(ROOT, 'deploy/ingress/nginx.conf.template'), 'utf8');
    const largestBodyMib = Number(/client_max_body_size (\d+)m;/.exec(compose)?.[1]);
    const annotations = gateway?.metadata?.annotations ?? {};
    const value = (name: string) => annotations[name] ?? '';
    for (const prefix of ['nginx.ingress.kubernetes.io', 'nginx.org']) {
      expect(value(`${prefix}/proxy-buffering`)).toMatch(/^off|False$/);
      expect(Number.parseInt(value(`${prefix}/proxy-read-timeout`), 10)).toBeGreaterThanOrEqual(
        LONGEST_ANSWER_SECONDS,
      );
      const size = annotations[`${prefix}/proxy-body-size`] ?? value(`${prefix}/client-max-body-size`);
      expect(Number.parseInt(size, 10)).toBeGreaterThanOrEqual(largestBodyMib);
    }
    expect(value('nginx.ingress.kubernetes.io/proxy-next-upstream')).toBe('off');
  });

  it('passes WebSockets on to the gateway, and lets a session last as long as the gateway does', () => {
    const gateway = ingresses.find(({ metadata }) => metadata?.name === 'gateway');
    const services = gateway?.spec?.rules?.flatMap(
      ({ http }) => http?.paths.map(({ backend }) => backend.service?.name) ?? [],
    );
    const { annotations = {} } = gateway?.metadata ?? {};
    expect(services).toEqual([annotations['nginx.org/websocket-services']]);
    // Pings come every twenty seconds; what counts is the time without any byte.
    for (const prefix of ['nginx.ingress.kubernetes.io', 'nginx.org']) {
      expect(Number.parseInt(annotations[`${prefix}/proxy-read-timeout`] ?? '', 10)).toBeGreaterThan(60);
    }
  });
});
