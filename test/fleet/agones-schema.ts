// The objects of Agones 1.56.0 as far as the service sends or reads them, in our own words and
// strictly: a field that is not in the published types is an error. Sources: the types of
// pkg/apis/allocation/v1 (GameServerAllocation has no CRD, it is an aggregated API) and the CRD
// gameservers.agones.dev of that release; Status and DeleteOptions are of Kubernetes' meta/v1.

import * as z from 'zod';

const labels = z.record(
  // An optional DNS prefix, then a name.
  z
    .string()
    .regex(/^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/),
  z.string().regex(/^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/),
);

const ANNOTATIONS_BYTES = 256 * 1024;
const annotations = z
  .record(z.string(), z.string())
  .refine(
    (all) => Buffer.byteLength(Object.entries(all).flat().join('')) <= ANNOTATIONS_BYTES,
    'annotations of one object together',
  );

const requirement = z.strictObject({
  key: z.string(),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
  values: z.array(z.string()).optional(),
});

const selector = z.strictObject({
  matchLabels: labels.optional(),
  matchExpressions: z.array(requirement).optional(),
  gameServerState: z.enum(['Ready', 'Allocated']).optional(),
});

/** What is POSTed to `gameserverallocations`. */
export const GameServerAllocation = z.strictObject({
  apiVersion: z.literal('allocation.agones.dev/v1'),
  kind: z.literal('GameServerAllocation'),
  metadata: z
    .strictObject({ name: z.string().optional(), generateName: z.string().optional() })
    .optional(),
  spec: z.strictObject({
    selectors: z.array(selector),
    scheduling: z.enum(['Packed', 'Distributed']).optional(),
    metadata: z
      .strictObject({ labels: labels.optional(), annotations: annotations.optional() })
      .optional(),
  }),
});

const statusPort = z.strictObject({ name: z.string().optional(), port: z.int() });

/** What is answered to it. */
export const Allocated = z.strictObject({
  apiVersion: z.literal('allocation.agones.dev/v1'),
  kind: z.literal('GameServerAllocation'),
  metadata: z.looseObject({}),
  spec: z.looseObject({}),
  status: z.strictObject({
    state: z.enum(['Allocated', 'UnAllocated', 'Contention']),
    gameServerName: z.string(),
    ports: z.array(statusPort).optional(),
    address: z.string().optional(),
    addresses: z.array(z.strictObject({ type: z.string(), address: z.string() })).optional(),
    nodeName: z.string().optional(),
    source: z.string(),
    metadata: z
      .strictObject({ labels: labels.optional(), annotations: annotations.optional() })
      .optional(),
  }),
});

export const GameServer = z.strictObject({
  apiVersion: z.literal('agones.dev/v1'),
  kind: z.literal('GameServer'),
  metadata: z.strictObject({
    name: z.string(),
    namespace: z.string(),
    uid: z.string(),
    resourceVersion: z.string(),
    creationTimestamp: z.iso.datetime(),
    deletionTimestamp: z.iso.datetime().optional(),
    labels: labels.optional(),
    annotations: annotations.optional(),
  }),
  spec: z.strictObject({
    container: z.string().optional(),
    ports: z
      .array(
        z.strictObject({
          name: z.string().optional(),
          range: z.string().optional(),
          portPolicy: z.enum(['Dynamic', 'Static', 'Passthrough', 'None']).optional(),
          protocol: z.enum(['UDP', 'TCP', 'TCPUDP']).optional(),
          container: z.string().optional(),
          containerPort: z.int().min(1).max(65_535).optional(),
          hostPort: z.int().min(1).max(65_535).optional(),
        }),
      )
      .nullable(),
    template: z.looseObject({}),
  }),
  status: z.strictObject({
    state: z.enum([
      'PortAllocation',
      'Creating',
      'Starting',
      'Scheduled',
      'RequestReady',
      'Ready',
      'Shutdown',
      'Error',
      'Unhealthy',
      'Reserved',
      'Allocated',
    ]),
    ports: z.array(statusPort).nullable(),
    address: z.string(),
    addresses: z.array(z.strictObject({ type: z.string(), address: z.string() })).nullable(),
    nodeName: z.string(),
    reservedUntil: z.iso.datetime().nullable().optional(),
  }),
});

export const DeleteOptions = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('DeleteOptions'),
  preconditions: z
    .strictObject({ uid: z.string().optional(), resourceVersion: z.string().optional() })
    .optional(),
});
