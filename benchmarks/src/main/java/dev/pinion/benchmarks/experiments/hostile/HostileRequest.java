package dev.pinion.benchmarks.experiments.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Bytes to send on a separate connection.
 *
 * @param kind their fault, in a few words
 * @param bytes bytes to send; created once, so that sending costs the load side little
 * @param abandoned whether the connection is closed soon after, without waiting for a response
 */
@SuppressWarnings("ArrayRecordComponent") // never compared or changed
record HostileRequest(String kind, byte[] bytes, boolean abandoned) {
  /** The bytes as text, one character for each. */
  String text() {
    return new String(bytes, ISO_8859_1);
  }
}
