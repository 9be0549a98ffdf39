import type { Manifest } from './manifests.ts';

const NAME = 'app.kubernetes.io/name';
/** Objects that each process needs beside its Deployment, under its name. */
const BESIDE = ['Service', 'ServiceAccount', 'PodDisruptionBudget', 'NetworkPolicy'] as const;

type Pod = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

/**
 * Checks objects against our policy. @returns one sentence per violation
 * @param processes the gateway and every service of the contracts
 */
export function faultsOf(objects: readonly Manifest[], processes: readonly string[]): string[] {
  const find = (kind: string, name: string) =>
    objects.find((one) => one.kind === kind && one.metadata.name === name);
  const missing = processes.flatMap((name) =>
    ['Deployment', ...BESIDE].filter((kind) => !find(kind, name)).map((kind) => `${name}: has no ${kind}`),
  );
  const selecting = processes.flatMap((name) =>
    BESIDE.flatMap((kind) => {
      const object = find(kind, name);
      return object && kind !== 'ServiceAccount' && selectorOf(object)[NAME] !== name
        ? [`${name}: its ${kind} selects other pods`]
        : [];
    }),
  );
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const unknown = deployments
    .filter(({ metadata }) => !processes.includes(metadata.name))
    .map(({ metadata }) => `${metadata.name}: is no service of the contracts`);
  return [...missing, ...selecting, ...unknown, ...deployments.flatMap(faultsOfDeployment)];
}

const selectorOf = ({ spec }: Manifest): Record<string, string> =>
  spec.podSelector?.matchLabels ?? spec.selector?.matchLabels ?? spec.selector ?? {};

function faultsOfDeployment({ metadata, spec }: Manifest): string[] {
  const pod: Pod = spec.template.spec;
  const labels: Record<string, string> = spec.template.metadata.labels;
  const demands: [boolean, string][] = [
    [spec.selector.matchLabels[NAME] === metadata.name, 'selects by another name'],
    [labels[NAME] === metadata.name, 'its pods bear another name'],
    [spec.strategy?.rollingUpdate?.maxUnavailable === 0, 'may take pods away before new ones are ready'],
    [pod.serviceAccountName === metadata.name, 'has no ServiceAccount of its own'],
    [pod.automountServiceAccountToken === false, 'gets a token of the API server'],
    [pod.enableServiceLinks === false, 'gets variables of other Services'],
    [pod.securityContext?.runAsNonRoot === true && pod.securityContext.runAsUser > 0, 'may run as root'],
    [pod.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
    [pod.terminationGracePeriodSeconds >= 30, 'has too little time to stop'],
  ];
  return [
    ...said(metadata.name, demands),
    ...pod.containers.flatMap((container: Pod) => faultsOfContainer(metadata.name, container)),
  ];
}

function faultsOfContainer(name: string, container: Pod): string[] {
  const security = container.securityContext ?? {};
  const { requests = {}, limits = {} } = container.resources ?? {};
  const probe = (kind: string) => container[`${kind}Probe`]?.httpGet?.path as string | undefined;
  return said(name, [
    [probe('startup') === '/livez', 'has no start-up probe of /livez'],
    [probe('liveness') === '/livez', 'has no liveness probe of /livez'],
    [/^\/(readyz|livez)$/.test(probe('readiness') ?? ''), 'has no readiness probe'],
    [probe('readiness') === '/readyz' || name === 'gateway', 'is called before it is ready'],
    [Boolean(requests.cpu && requests.memory), 'requests no CPU or memory'],
    // A CPU limit would throttle a pod on an idle node.
    [Boolean(limits.memory), 'has no limit of memory'],
    [security.readOnlyRootFilesystem === true, 'may write into its image'],
    [security.allowPrivilegeEscalation === false, 'may gain privileges'],
    [security.capabilities?.drop?.includes('ALL') === true, 'keeps capabilities'],
  ]);
}

const said = (name: string, demands: readonly [boolean, string][]): string[] =>
  demands.filter(([isMet]) => !isMet).map(([, fault]) => `${name}: ${fault}`);
