package dev.pinion.bootstrap.client.asyncapi;

/** Receiver of the messages of one subscription. Any thread. */
interface MessageInbox {
  /**
   * Takes a message; drops it when nobody wants it any more.
   *
   * @return whether there is room for another one
   */
  boolean put(InboundMessage message);

  /** Whether there is room for a message. */
  boolean hasRoom();

  /**
   * Waits until there is room for a message.
   *
   * @return false when no more messages are wanted
   */
  boolean awaitRoom() throws InterruptedException;

  /** Ends the subscription with a failure, behind the messages that came before. */
  void failed(MessageFailure failure);

  /** Ends the subscription: the channel has no more messages. */
  void ended();
}
