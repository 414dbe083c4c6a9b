package dev.pinion.bootstrap.client.asyncapi;

/** An open subscription at a server. Any thread. */
interface MessageSource {
  /** Goes on, as the inbox has room again. */
  default void resume() {}

  /**
   * Ends the subscription. May wait, for a bounded time.
   *
   * @param finished whether the server may forget it; else it continues later, perhaps from another
   *     process
   */
  void close(boolean finished);
}
