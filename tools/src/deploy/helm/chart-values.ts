/** One value of the chart: where the manifests have it, or what it adds to them. */
export interface ChartValue {
  /** Its place in values.yaml: `gateway.replicas`. */
  readonly key: string;
  /** For values.yaml, in one line. */
  readonly about: string;
  /** Where the manifests have it: `Deployment gateway /spec/replicas`, kind, name and a JSON pointer. */
  readonly at: readonly string[];
  /**
   * How it gets there: in place of what is there, as further items of a list, or as a field that is there only when the value is
   * not empty. The last two begin as `[]`, `{}` or `''`.
   */
  readonly as?: 'value' | 'items' | 'field';
  /** For values that add something. */
  readonly initial?: unknown;
  /** The key of a switch: while it is on, the field is not there. */
  readonly unless?: string | undefined;
  /** A JSON schema, where the type of the first value does not say enough. */
  readonly schema?: object;
}

/** A switch, and the objects that are there only while it is on, or only while it is off. */
export interface ChartSwitch {
  readonly key: string;
  readonly about: string;
  readonly on: readonly string[];
  readonly off?: readonly string[];
}

/** Planes as values.yaml names them, and as the manifests do. */
const PLANES = { gateway: 'gateway', billing: 'billing', console: 'console', videoWorker: 'video-worker' };
const SERVERS = ['postgres', 'redis'];
const WORKLOADS = [
  ...Object.values(PLANES).map((name) => `Deployment ${name}`),
  'Job migrate',
  ...SERVERS.map((name) => `StatefulSet ${name}`),
];
const POD = '/spec/template/spec';
const CONTAINER = `${POD}/containers/0`;
const ANNOTATIONS =
  'Those that streams want of two NGINX controllers; yours, such as those of cert-manager, are added.';
const STRING_OR_NUMBER = { type: ['string', 'integer'] };

export const SWITCHES: readonly ChartSwitch[] = [
  ...['gateway', 'console'].map((name) => ({
    key: `${name}.ingress.enabled`,
    about: 'Off: something else leads to the Service, and has a NetworkPolicy of its own.',
    on: [`Ingress ${name}`],
  })),
  {
    key: 'gateway.autoscaling.enabled',
    about: 'By CPU and streams in flight; wants metrics-server and prometheus-adapter.',
    on: ['HorizontalPodAutoscaler gateway'],
  },
  {
    key: 'videoWorker.autoscaling.enabled',
    about: 'By tasks that are due; wants KEDA.',
    on: ['ScaledObject video-worker', 'TriggerAuthentication video-worker'],
  },
  {
    key: 'monitoring.enabled',
    about: "Metrics and alerts; wants Prometheus's operator.",
    on: ['PodMonitor model-gateway', 'PrometheusRule model-gateway'],
  },
  ...SERVERS.map((name) => ({
    key: `${name}.enabled`,
    about: 'One pod with a volume of its own. Off: a managed server, whose address is in the Secrets.',
    on: [
      ...['Service', 'ServiceAccount', 'NetworkPolicy', 'StatefulSet'].map((kind) => `${kind} ${name}`),
      ...(name === 'redis' ? ['ConfigMap model-gateway-redis'] : []),
    ],
    off: [`NetworkPolicy managed-${name}`],
  })),
];

export const VALUES: readonly ChartValue[] = [
  {
    key: 'image.pullSecrets',
    about: 'Names of Secrets for the registry: [{ name: registry }].',
    at: WORKLOADS.map((name) => `${name} ${POD}/imagePullSecrets`),
    as: 'field',
    initial: [],
  },
  {
    key: 'settings',
    about: 'The settings that every plane gets, as strings: docs/configuration.md.',
    at: ['ConfigMap model-gateway /data'],
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  {
    key: 'configuration',
    about: 'The configuration file, which the Console reads again within minutes of a change.',
    at: ['ConfigMap model-gateway-configuration /data/gateway.yaml'],
  },
  ...Object.entries(PLANES).flatMap(([key, name]) => plane(key, `Deployment ${name}`)),
  {
    key: 'gateway.maxSurge',
    about: 'How many pods more than `replicas` a rollout may start.',
    at: ['Deployment gateway /spec/strategy/rollingUpdate/maxSurge'],
    schema: STRING_OR_NUMBER,
  },
  {
    key: 'gateway.preStopSeconds',
    about: 'How long a pod that goes still takes calls, while its address is taken from the proxies.',
    at: [`Deployment gateway ${CONTAINER}/lifecycle/preStop/sleep/seconds`],
  },
  {
    key: 'gateway.gracePeriodSeconds',
    about: 'preStopSeconds, DRAIN_TIMEOUT_SECONDS and ten seconds more.',
    at: [`Deployment gateway ${POD}/terminationGracePeriodSeconds`],
  },
  ...['gateway', 'console'].flatMap(ingress),
  ...autoscaling(),
  {
    key: 'migrate.resources',
    about: 'Of the Job that brings the schema up to date at each install and upgrade.',
    at: [`Job migrate ${CONTAINER}/resources`],
  },
  ...SERVERS.flatMap(server),
  ...['ingress', 'monitoring'].map((what, index) => ({
    key: `networkPolicy.${what}Namespace`,
    about: `Where ${what === 'ingress' ? 'the ingress controller runs' : 'Prometheus runs'}.`,
    at: [
      ...['gateway', 'console'].map((name) => policySource(name, index)),
      ...(what === 'monitoring' ? ['billing', 'video-worker'].map((name) => policySource(name, 0)) : []),
    ],
  })),
  {
    key: 'nodeSelector',
    about: 'Labels of the nodes that all pods run on.',
    at: WORKLOADS.map((name) => `${name} ${POD}/nodeSelector`),
    as: 'field',
    initial: {},
  },
  {
    key: 'tolerations',
    about: 'Taints that all pods tolerate.',
    at: WORKLOADS.map((name) => `${name} ${POD}/tolerations`),
    as: 'field',
    initial: [],
  },
  {
    key: 'priorityClassName',
    about: 'Of all pods.',
    at: WORKLOADS.map((name) => `${name} ${POD}/priorityClassName`),
    as: 'field',
    initial: '',
  },
];

function plane(key: string, deployment: string): ChartValue[] {
  const scaler = ['gateway', 'videoWorker'].includes(key) ? `${key}.autoscaling.enabled` : undefined;
  return [
    {
      key: `${key}.replicas`,
      about: scaler ? 'How many pods, unless an autoscaler counts them.' : 'How many pods.',
      at: [`${deployment} /spec/replicas`],
      unless: scaler,
    },
    {
      key: `${key}.resources`,
      about: 'Of each pod: docs/operations.md.',
      at: [`${deployment} ${CONTAINER}/resources`],
    },
    {
      key: `${key}.env`,
      about: 'Variables of this plane alone: [{ name: ..., value: ... }].',
      at: [`${deployment} ${CONTAINER}/env`],
      as: 'items',
      initial: [],
    },
    {
      key: `${key}.spread`,
      about: 'Two pods on one node: ScheduleAnyway or DoNotSchedule.',
      at: [`${deployment} ${POD}/topologySpreadConstraints/0/whenUnsatisfiable`],
      schema: { enum: ['ScheduleAnyway', 'DoNotSchedule'] },
    },
  ];
}

function ingress(name: string): ChartValue[] {
  const at = (...pointers: string[]) => pointers.map((pointer) => `Ingress ${name} ${pointer}`);
  const setting = name === 'gateway' ? 'PUBLIC_URL' : 'CONSOLE_ORIGIN';
  return [
    {
      key: `${name}.ingress.className`,
      about: 'The ingress controller.',
      at: at('/spec/ingressClassName'),
    },
    {
      key: `${name}.ingress.host`,
      about: `The host of ${setting} above.`,
      at: at('/spec/tls/0/hosts/0', '/spec/rules/0/host'),
    },
    {
      key: `${name}.ingress.tlsSecret`,
      about: 'The Secret of its certificate.',
      at: at('/spec/tls/0/secretName'),
    },
    name === 'gateway'
      ? { key: 'gateway.ingress.annotations', about: ANNOTATIONS, at: at('/metadata/annotations') }
      : {
          key: `${name}.ingress.annotations`,
          about: 'Such as those of cert-manager.',
          at: at('/metadata/annotations'),
          as: 'field',
          initial: {},
        },
  ];
}

function autoscaling(): ChartValue[] {
  const scaler = 'HorizontalPodAutoscaler gateway';
  const worker = 'ScaledObject video-worker';
  return [
    { key: 'gateway.autoscaling.minReplicas', about: 'At least.', at: [`${scaler} /spec/minReplicas`] },
    { key: 'gateway.autoscaling.maxReplicas', about: 'At most.', at: [`${scaler} /spec/maxReplicas`] },
    {
      key: 'gateway.autoscaling.cpuPercent',
      about: 'Of the CPU that a pod asks for.',
      at: [`${scaler} /spec/metrics/0/resource/target/averageUtilization`],
    },
    {
      key: 'gateway.autoscaling.streams',
      about: 'In flight at each pod.',
      at: [`${scaler} /spec/metrics/1/pods/target/averageValue`],
    },
    {
      key: 'videoWorker.autoscaling.minReplicas',
      about: 'Never none.',
      at: [`${worker} /spec/minReplicaCount`],
    },
    {
      key: 'videoWorker.autoscaling.maxReplicas',
      about: 'At most.',
      at: [`${worker} /spec/maxReplicaCount`],
    },
  ];
}

function server(name: string): ChartValue[] {
  const set = `StatefulSet ${name}`;
  const claim = '/spec/volumeClaimTemplates/0/spec';
  return [
    { key: `${name}.image`, about: 'With its tag and digest.', at: [`${set} ${CONTAINER}/image`] },
    { key: `${name}.resources`, about: 'Of its pod.', at: [`${set} ${CONTAINER}/resources`] },
    {
      key: `${name}.storage`,
      about: 'The size of its volume, set once.',
      at: [`${set} ${claim}/resources/requests/storage`],
    },
    {
      key: `${name}.storageClass`,
      about: "The volume's class; empty: the cluster's own.",
      at: [`${set} ${claim}/storageClassName`],
      as: 'field',
      initial: '',
    },
    {
      key: `${name}.managedNetwork`,
      about: 'With `enabled` off: the network of the managed server.',
      at: [`NetworkPolicy managed-${name} /spec/egress/0/to/0/ipBlock/cidr`],
    },
  ];
}

function policySource(name: string, rule: number): string {
  return `NetworkPolicy ${name} /spec/ingress/${rule}/from/0/namespaceSelector/matchLabels/kubernetes.io~1metadata.name`;
}
