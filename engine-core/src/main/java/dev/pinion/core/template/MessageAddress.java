package dev.pinion.core.template;

import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.MessageLocation;
import dev.pinion.core.model.call.MessageProtocol;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Address of a channel with parameters in braces, whose values are in the message or fixed.
 * Immutable.
 *
 * <p>A value never adds a level to a subject or topic, nor a wildcard.
 */
public final class MessageAddress {
  private static final Pattern PARAMETER = Pattern.compile("\\{([^{}]*)}");
  private static final Pattern LEVEL_OF_TOPIC = Pattern.compile("[^/+#\\x00-\\x1f\\x7f]+");
  private static final Pattern TOKEN_OF_SUBJECT = Pattern.compile("[^.*>#\\s\\x00-\\x1f\\x7f]+");

  private final MessageProtocol protocol;
  private final List<AddressPiece> pieces;

  private MessageAddress(MessageProtocol protocol, List<AddressPiece> pieces) {
    this.protocol = protocol;
    this.pieces = List.copyOf(pieces);
  }

  private record AddressPiece(String literal, @Nullable ChannelParameter parameter) {}

  /**
   * A parameter.
   *
   * @param name its name
   * @param location place of its value in the message, or null
   * @param otherwise its value where the message has none, or null
   * @param allowed the values that it may have; empty for any
   */
  public record ChannelParameter(
      String name,
      @Nullable MessageLocation location,
      @Nullable String otherwise,
      List<String> allowed) {
    /** Copies the values. */
    public ChannelParameter {
      allowed = List.copyOf(allowed);
    }
  }

  /** The names in braces in an address, each once. */
  public static Set<String> names(String address) {
    Set<String> names = new LinkedHashSet<>();
    Matcher parameter = PARAMETER.matcher(address);
    while (parameter.find()) {
      names.add(parameter.group(1));
    }
    return names;
  }

  /**
   * An address.
   *
   * @param parameters the parameters by the {@link #names} in the address, all of them
   */
  public static MessageAddress of(
      String address, MessageProtocol protocol, Map<String, ChannelParameter> parameters) {
    List<AddressPiece> pieces = new ArrayList<>();
    Matcher matcher = PARAMETER.matcher(address);
    int from = 0;
    while (matcher.find()) {
      pieces.add(new AddressPiece(address.substring(from, matcher.start()), null));
      pieces.add(new AddressPiece("", parameters.get(matcher.group(1))));
      from = matcher.end();
    }
    pieces.add(new AddressPiece(address.substring(from), null));
    return new MessageAddress(protocol, pieces);
  }

  /** The text that stands for any value in a subscription; null where there is none. */
  public static @Nullable String wildcard(MessageProtocol protocol) {
    return switch (protocol) {
      case MQTT, MQTT5 -> "+";
      case NATS, AMQP -> "*";
      case HTTP, WS -> null;
    };
  }

  /**
   * The address for a message.
   *
   * @param headers headers of the message, an object
   */
  String of(Payload payload, Payload headers) {
    StringBuilder address = new StringBuilder();
    for (AddressPiece piece : pieces) {
      ChannelParameter parameter = piece.parameter();
      address.append(parameter == null ? piece.literal() : text(parameter, payload, headers));
    }
    return address.toString();
  }

  private String text(ChannelParameter parameter, Payload payload, Payload headers) {
    Payload found =
        parameter.location() == null ? null : parameter.location().find(payload, headers);
    String value = found == null ? null : found.scalar();
    if (value == null) {
      if (parameter.otherwise() == null) {
        throw new ExpressionException(
            "expected the message to have a string where the channel takes its parameter \""
                + parameter.name()
                + "\" from, found none");
      }
      return parameter.otherwise();
    }
    if (!parameter.allowed().isEmpty() && !parameter.allowed().contains(value)) {
      throw new ExpressionException(
          "expected one of "
              + String.join(", ", parameter.allowed())
              + " as value of the channel's parameter \""
              + parameter.name()
              + "\", found another one");
    }
    return encoded(parameter.name(), value);
  }

  private String encoded(String name, String value) {
    if (protocol.hasPaths()) {
      String encoded = UriSyntax.encode(value);
      if (!encoded.isEmpty() && !encoded.equals(".") && !encoded.equals("..")) {
        return encoded;
      }
    } else {
      boolean topic = protocol == MessageProtocol.MQTT || protocol == MessageProtocol.MQTT5;
      if ((topic ? LEVEL_OF_TOPIC : TOKEN_OF_SUBJECT).matcher(value).matches()) {
        return value;
      }
    }
    throw new ExpressionException(
        "expected a value of the channel's parameter \""
            + name
            + "\" that is one part of an address over "
            + protocol.word()
            + ", found another one");
  }
}
