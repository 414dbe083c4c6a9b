package dev.pinion.bootstrap.client.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The JSON form of messages of one type, and of those in them (ProtoJSON). Immutable. */
final class MessageJson {
  private final Descriptor type;
  private final JsonFormat.Parser parser;
  private final JsonFormat.Printer printer;

  /**
   * A form.
   *
   * @param types the types that messages of any type may have
   */
  MessageJson(Descriptor type, TypeRegistry types) {
    this.type = type;
    this.parser = JsonFormat.parser().usingTypeRegistry(types);
    this.printer =
        JsonFormat.printer()
            .usingTypeRegistry(types)
            .alwaysPrintFieldsWithNoPresence()
            .omittingInsignificantWhitespace();
  }

  /**
   * The message of a value.
   *
   * @throws InvalidArgumentsException when it is none; the message names the field
   */
  DynamicMessage message(Payload value) throws InvalidArgumentsException {
    DynamicMessage.Builder builder = DynamicMessage.newBuilder(type);
    if (LongNumbers.appear(type, value.json())) {
      throw new InvalidArgumentsException(
          "expected numbers of at most "
              + LongNumbers.MAX_CHARS
              + " characters in a message "
              + type.getFullName()
              + ", found a longer one");
    }
    try {
      parser.merge(value.toString(), builder);
    } catch (InvalidProtocolBufferException e) {
      String fault = new ArgumentFault(parser).of(type, value.json());
      throw new InvalidArgumentsException(
          fault == null
              ? "expected a message " + type.getFullName() + ", found: " + e.getMessage()
              : fault);
    }
    if (!builder.isInitialized()) {
      throw new InvalidArgumentsException(
          "expected the required fields of "
              + type.getFullName()
              + ", found none of: "
              + builder.getInitializationErrorString());
    }
    return builder.buildPartial();
  }

  /**
   * The text of a message in UTF-8.
   *
   * @param most bytes that it may have
   * @throws InvalidAnswerException when it has more, or holds what has no such form: a message of
   *     an unknown type, a time beyond the year 9999
   */
  byte[] text(DynamicMessage message, int most) throws InvalidAnswerException {
    BoundedText text = new BoundedText(most);
    try {
      printer.appendTo(message, text);
    } catch (BoundedText.TooLongException e) {
      throw tooLong(most);
    } catch (IOException | IllegalArgumentException e) { // or a time that is none
      throw new InvalidAnswerException(
          "expected a message "
              + type.getFullName()
              + " with a JSON form, found: "
              + e.getMessage());
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > most) {
      throw tooLong(most);
    }
    return bytes;
  }

  private static InvalidAnswerException tooLong(int most) {
    return new InvalidAnswerException(
        "expected at most " + most + " more bytes of JSON (invoker.maxResponseBytes), found more");
  }

  /** The value of a text that was made of a message. */
  static Payload value(byte[] text, PayloadCodec codec) throws InvalidAnswerException {
    try {
      return codec.readBounded(text, 0, text.length);
    } catch (PayloadSyntaxException e) {
      throw new InvalidAnswerException(String.valueOf(e.getMessage()));
    }
  }
}
