package dev.pinion.handlers.api;

/**
 * Says that a handler does what another one has to take back, or takes it back: compress and
 * decompress, encrypt and decrypt, sign and verify.
 *
 * @param pair what the two have in common, such as {@code gzip}
 * @param role which of the two this one is
 */
public record Peer(String pair, Role role) {
  /** The two sides of a pair. */
  public enum Role {
    /** Does it: compresses, encrypts, signs. Comes first on the way of a message. */
    DOES,
    /** Takes it back: decompresses, decrypts, verifies. */
    TAKES_BACK
  }
}
