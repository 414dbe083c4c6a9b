package dev.pinion.bootstrap.process;

/**
 * The chains of handlers of a replica.
 *
 * @param documents document of chains, or folder of such documents; empty for no handlers at all
 * @param nats NATS servers by which handler hosts are reached, perhaps with passwords; empty when
 *     there are none
 * @param path jars and folders with further kinds of handlers, with colons; empty for none
 */
public record HandlerChoice(String documents, String nats, String path) {
  /** No handlers. */
  public static final HandlerChoice NONE = new HandlerChoice("", "", "");

  /** Without passwords. */
  @Override
  public String toString() {
    return documents + (nats.isEmpty() ? "" : " by " + withoutPasswords(nats));
  }

  /** A text without what stands between {@code //} and {@code @}. */
  public static String withoutPasswords(String text) {
    return text.replaceAll("//[^/@\\s]*@", "//");
  }
}
