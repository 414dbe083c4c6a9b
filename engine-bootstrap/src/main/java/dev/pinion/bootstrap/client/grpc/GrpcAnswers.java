package dev.pinion.bootstrap.client.grpc;

import com.google.protobuf.DynamicMessage;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;

/** The messages that a service answers, as values, within bounds of their number and length. */
final class GrpcAnswers {
  private final MessageJson form;
  private final PayloadCodec codec;
  private final boolean many;
  private final int maxMessages;
  private final List<Payload> values = new ArrayList<>();
  private int bytesLeft;

  /**
   * No answers.
   *
   * @param many whether any number may come, rather than one
   */
  GrpcAnswers(MessageJson form, PayloadCodec codec, EngineLimits limits, boolean many) {
    this.form = form;
    this.codec = codec;
    this.many = many;
    this.maxMessages = limits.protocol().maxMessages();
    this.bytesLeft = limits.invoker().maxResponseBytes();
  }

  /** Adds a message. */
  void add(DynamicMessage message) throws InvalidAnswerException {
    if (!many && !values.isEmpty()) {
      throw new InvalidAnswerException("expected one message, found another");
    }
    if (values.size() >= maxMessages) {
      throw new InvalidAnswerException(
          "expected at most " + maxMessages + " messages (protocol.maxMessages), found more");
    }
    byte[] text = form.text(message, bytesLeft);
    bytesLeft -= text.length;
    values.add(MessageJson.value(text, codec));
  }

  /** The output of the call: the message, or an array of all. */
  Payload output() throws InvalidAnswerException {
    if (many) {
      return Payload.array(values);
    }
    if (values.isEmpty()) {
      throw new InvalidAnswerException("expected one message, found none");
    }
    return values.getFirst();
  }
}
