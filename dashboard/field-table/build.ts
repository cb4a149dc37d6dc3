// The fields of a build. Its form has no titles; a part is a row of fields.

import {
  CAPACITY_SECONDS,
  CONTAINER_CPUS,
  CONTAINER_MEMORY,
  DEFAULT_STATUS,
} from '../../src/fleet/defaults';
import { choice, json, list, number, text, within, type Parts } from './row';

export const BUILD_FIELDS = {
  build: {
    label: text('Label', {
      help: 'Your name for this version; for display only',
    }),
    status: choice('Status', {
      default: DEFAULT_STATUS,
      options: [
        ['ready', 'ready'],
        ['not_ready', 'not ready: do not launch it'],
      ],
    }),
  },
  program: {
    'launch.command': text('Program', {
      otherwise: 'the sample server',
      sample: '/opt/games/server',
      help: "On the agent's machine",
    }),
    'launch.image': text('Or a container image', {
      sample: 'registry.example.com/game:1.0',
      help: 'The agent fetches it when you save',
    }),
  },
  fleets: {
    'launch.capacitySeconds': number('Wait for room, seconds', {
      default: CAPACITY_SECONDS,
      sample: `${CAPACITY_SECONDS}: it fails`,
      help: 'Where all fleets are full, matches wait in line: first come, first served',
    }),
    'launch.fleets': list('Fleets, in order', {
      otherwise: 'any fleet',
      sample: 'own-box, cloud',
      help: 'The next one is asked where one is full or does not answer. Empty: any fleet',
    }),
  },
  launch: {
    'launch.warm': json('Warm servers, JSON object', {
      sample: '{ "eu-west": 2 }',
      help: 'Region and number: how many run before a match needs them',
    }),
    'launch.ready': json('Ready when, JSON', {
      otherwise: '`"port"`',
      sample: '{ "line": "Map generated" }',
      help: 'Empty: once its ports are open. "report": once the server reports it. Or a text that it prints',
    }),
    launch: json('Launch, JSON object', {
      sample: '{ "image": "registry.example.com/game:1.0", "memory": 512 }',
      help:
        'All that your fleet needs: `command` or `image`, `args`, `env`, `memory` in MB and `cpus` of a container, `fleet`, ' +
        '`fleetName`. `host` is `players` where players host. Leave it empty for the sample server of `npm start`',
    }),
    'launch.args': within('Arguments of the program'),
    'launch.env': within('Environment variables'),
    'launch.memory': within('Memory of a container, MB', { default: CONTAINER_MEMORY }),
    'launch.cpus': within('Processors of a container', { default: CONTAINER_CPUS }),
    'launch.fleet': within('Name or group of the fleet to use', { otherwise: 'any fleet' }),
    'launch.fleetName': within('Name of the set of servers within the fleet', {
      help: 'On Agones the Fleet to allocate from',
    }),
    'launch.host': within('`players`: nothing is launched, because a player hosts', {
      otherwise: 'a game server',
    }),
    'launch.ownFolder': within('The program runs in a folder of its own', { default: false }),
    'launch.roster': within("The agent keeps the match's roster in a file", { default: false }),
    'launch.keep': text('Kept folder', {
      sample: 'world',
      help: 'It outlives its servers; one of them uses it at a time. In args and env: {keep}',
    }),
    'launch.files': json('Files, JSON object', {
      sample: '{ "server.cfg": "port={port}" }',
      help: 'Path and text: written into {folder} before the server starts',
    }),
    ports: json('Ports, JSON list', {
      otherwise: 'one port',
      sample: '[{ "name": "game" }, { "name": "info", "offset": 1 }]',
      help: 'Empty: one port. An offset counts from the first port, and a fixed one has that number on every machine',
    }),
  },
} satisfies Parts;
