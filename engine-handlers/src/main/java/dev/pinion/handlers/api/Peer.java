package dev.pinion.handlers.api;

/**
 * Membership of a handler in a pair of which one side reverses the other: compress and decompress,
 * encrypt and decrypt, sign and verify.
 *
 * @param pair name of the pair, such as {@code gzip}
 * @param role the side of this handler
 */
public record Peer(String pair, Role role) {
  /** The two sides of a pair. */
  public enum Role {
    /** Applies: compresses, encrypts, signs. Comes first on the way of a message. */
    DOES,
    /** Reverses: decompresses, decrypts, verifies. */
    TAKES_BACK
  }
}
