package dev.pinion.bootstrap.client.asyncapi;

/** A connection to a server, which several tasks may use at a time. */
interface MessageConnection extends AutoCloseable {
  /** Whether it can be used. */
  boolean isOpen();

  /** Closes it. May wait, for a bounded time. */
  @Override
  void close();
}
