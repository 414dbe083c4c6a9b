package dev.pinion.benchmarks.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Bytes to send on a connection of their own.
 *
 * @param kind what is wrong with them, in a few words
 * @param bytes what is sent; made once, so that sending costs the load side little
 * @param abandoned whether the connection is closed soon after, without waiting for an answer
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares or changes them
record HostileRequest(String kind, byte[] bytes, boolean abandoned) {
  /** The bytes, one character for each. */
  String text() {
    return new String(bytes, ISO_8859_1);
  }
}
