package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.model.call.MessageServer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes the server of messages from the address that an AsyncAPI document gives it. Immutable.
 *
 * @param address the address, with variables in braces
 * @param variables the variables by name, all of them
 * @param protocol the protocol
 * @param secure whether connections use TLS whatever the scheme of the address says
 */
public record MessageServerTemplate(
    String address, Map<String, ServerVariable> variables, MessageProtocol protocol, boolean secure)
    implements Expression<MessageServer> {
  private static final Pattern VARIABLE = Pattern.compile("\\{([^{}]*)}");
  private static final List<String> SECURE_SCHEMES =
      List.of("tls", "ssl", "https", "wss", "mqtts", "secure-mqtt", "amqps");
  private static final int MAX_PORT = 65_535;

  /** Scheme, host (an address of IPv6 in brackets), port and path. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:([A-Za-z][A-Za-z0-9+.-]*)://)?"
              + "(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9][A-Za-z0-9._-]{0,252}))"
              + "(?::([0-9]{1,5}))?(/[^?#\\s]*)?");

  /** Copies the variables. */
  public MessageServerTemplate {
    variables = Map.copyOf(variables);
  }

  /**
   * A variable of the address.
   *
   * @param value makes its value
   * @param allowed the values that it may have; empty for any
   */
  public record ServerVariable(Expression<Payload> value, List<String> allowed) {
    /** Copies the values. */
    public ServerVariable {
      allowed = List.copyOf(allowed);
    }
  }

  @Override
  public MessageServer evaluate(Payload input, Scope scope, Budget budget) {
    budget.charge(1 + address.length() / 8);
    Matcher variable = VARIABLE.matcher(address);
    StringBuilder text = new StringBuilder();
    while (variable.find()) {
      String value = value(variable.group(1), input, scope, budget);
      variable.appendReplacement(text, Matcher.quoteReplacement(value));
    }
    variable.appendTail(text);
    try {
      return parse(text.toString(), protocol, secure);
    } catch (IllegalArgumentException e) {
      throw failure(String.valueOf(e.getMessage()));
    }
  }

  private String value(String name, Payload input, Scope scope, Budget budget) {
    ServerVariable variable = variables.get(name);
    if (variable == null) {
      throw failure("expected a value of the variable \"" + name + "\" of a server, found none");
    }
    JsonNode value = variable.value().evaluate(input, scope, budget).json();
    if (value.isContainerNode() || value.isNull()) {
      throw failure(
          "expected a string as value of the variable \""
              + name
              + "\" of a server, found "
              + value.getNodeType().name().toLowerCase(Locale.ROOT));
    }
    String text = value.asText();
    if (!variable.allowed().isEmpty() && !variable.allowed().contains(text)) {
      throw failure(
          "expected one of "
              + String.join(", ", variable.allowed())
              + " as value of the variable \""
              + name
              + "\" of a server, found another one");
    }
    return text;
  }

  private static ExpressionException failure(String detail) {
    return new ExpressionException(WorkflowError.of(ErrorType.CONFIGURATION, detail));
  }

  /**
   * The server at an address without variables.
   *
   * @throws IllegalArgumentException when it is none; the message says what was expected
   */
  public static MessageServer parse(String text, MessageProtocol protocol, boolean secure) {
    Matcher matcher = ADDRESS.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "expected a host, a port and a path as address of a server, found \""
              + shown(text)
              + '"');
    }
    String scheme = matcher.group(1) == null ? "" : matcher.group(1).toLowerCase(Locale.ROOT);
    boolean tls = secure || SECURE_SCHEMES.contains(scheme);
    String host = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
    int port = port(matcher.group(4), protocol, tls);
    String path = matcher.group(5) == null ? "" : matcher.group(5).substring(1);
    return new MessageServer(host, port, tls, path);
  }

  private static int port(@Nullable String text, MessageProtocol protocol, boolean tls) {
    if (text == null) {
      return switch (protocol) {
        case HTTP, WS -> tls ? 443 : 80;
        case NATS -> 4222;
        case MQTT, MQTT5 -> tls ? 8883 : 1883;
        case AMQP -> tls ? 5671 : 5672;
      };
    }
    int port = Integer.parseInt(text);
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException("expected a port from 1 to 65535, found " + text);
    }
    return port;
  }

  private static String shown(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "..." : text;
  }
}
