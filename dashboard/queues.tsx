// All queues of the project.

import type { JSX } from 'preact';
import { useAttention } from './attention';
import { useLive } from './live';
import { LiveMark, Title, Waiting } from './parts';
import { QueueTable } from './overview';
import { Waits } from './waits';

export function Queues(): JSX.Element {
  const { data, connection, refusal } = useLive({ view: 'overview' });
  const { data: lately } = useAttention();
  return (
    <>
      <Title aside={<LiveMark state={connection} />}>Queues</Title>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : (
        <QueueTable configs={data.configs} lately={lately?.modes ?? null} />
      )}
      <Waits />
    </>
  );
}
