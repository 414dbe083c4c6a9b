package dev.pinion.bootstrap.client.asyncapi;

/** One protocol of messages. Its methods wait, for a bounded time; any thread. */
interface MessageBinding extends AutoCloseable {
  /**
   * Sends a message; returns when the server has it.
   *
   * @throws MessageFailure when the server may not have it
   */
  void publish(OutgoingMessage message) throws MessageFailure, InterruptedException;

  /**
   * Opens a subscription; returns when the server knows of it.
   *
   * @param inbox receives the messages, perhaps before this method returns
   * @throws MessageFailure when it cannot be opened
   */
  MessageSource open(SubscriptionRequest request, MessageInbox inbox)
      throws MessageFailure, InterruptedException;

  /** Closes its connections. */
  @Override
  void close();
}
