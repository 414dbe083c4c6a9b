package dev.pinion.benchmarks.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Bytes to send on a connection of their own.
 *
 * @param kind what is wrong with them, in a few words
 * @param text the bytes, one for each character
 * @param abandoned whether the connection is closed soon after, without waiting for an answer
 */
record HostileRequest(String kind, String text, boolean abandoned) {
  byte[] bytes() {
    return text.getBytes(ISO_8859_1);
  }
}
