package dev.pinion.bootstrap.protocol;

/**
 * The chains of handlers of a replica.
 *
 * @param documents document of chains, or folder of such documents; empty for no handlers
 * @param nats NATS servers of handler hosts, perhaps with passwords; empty for none
 * @param path jars and folders with further kinds of handlers, separated by colons; empty for none
 */
public record HandlerSettings(String documents, String nats, String path) {
  /** No handlers. */
  public static final HandlerSettings NONE = new HandlerSettings("", "", "");

  /** The text without passwords. */
  @Override
  public String toString() {
    return documents + (nats.isEmpty() ? "" : " by " + withoutPasswords(nats));
  }

  /** A text without the part between {@code //} and {@code @}. */
  public static String withoutPasswords(String text) {
    return text.replaceAll("//[^/@\\s]*@", "//");
  }
}
