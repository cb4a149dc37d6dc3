// Reads what somebody else sends, up to a limit.

/** All bytes of the stream. Null if it has more than `most`: the rest is not read. */
export async function bytesUpTo(
  most: number,
  stream: ReadableStream<Uint8Array> | null,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    length += read.value.byteLength;
    if (length > most) {
      reader?.cancel().catch(() => {
        // The sender is gone already, so nothing more will arrive.
      });
      return null;
    }
    chunks.push(read.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
