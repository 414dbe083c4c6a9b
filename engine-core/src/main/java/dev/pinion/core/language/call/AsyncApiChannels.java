package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.model.call.MessageLocation;
import dev.pinion.core.model.call.MessageOptions;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.template.HttpCallTemplate;
import dev.pinion.core.template.MessageAddress;
import dev.pinion.core.template.MessageAddress.ChannelParameter;
import dev.pinion.core.template.MessageEndpointTemplate;
import dev.pinion.core.template.MessageServerTemplate;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a document says of a channel: address, parameters, messages, bindings. */
final class AsyncApiChannels {
  private static final String DEFAULT_CONTENT_TYPE = "application/json";
  private static final int MAX_QOS = 2;

  private final AsyncApiDocument document;
  private final Diagnostics diagnostics;
  private final boolean publishes;

  /**
   * A reader for one call.
   *
   * @param diagnostics reports about the definition
   * @param publishes whether the call sends a message
   */
  AsyncApiChannels(AsyncApiDocument document, Diagnostics diagnostics, boolean publishes) {
    this.document = document;
    this.diagnostics = diagnostics;
    this.publishes = publishes;
  }

  /**
   * The channel of a target at a server, or null when it cannot be used: reported.
   *
   * @param place the value of the definition that a problem is reported at
   */
  @Nullable MessageEndpointTemplate endpoint(
      AsyncApiTarget target, MessageServerTemplate server, DocumentValue place) {
    Map<String, ChannelParameter> parameters = parameters(target, server.protocol(), place);
    if (parameters == null) {
      return null;
    }
    return new MessageEndpointTemplate(
        server,
        MessageAddress.of(target.address(), server.protocol(), parameters),
        contentType(target),
        options(target, server.protocol()),
        correlation(target));
  }

  private @Nullable Map<String, ChannelParameter> parameters(
      AsyncApiTarget target, MessageProtocol protocol, DocumentValue place) {
    Map<String, DocumentValue> declared =
        AsyncApiDocument.members(document.member(target.channel(), "parameters"));
    Map<String, ChannelParameter> parameters = new LinkedHashMap<>();
    for (String name : MessageAddress.names(target.address())) {
      DocumentValue declaration = declared.get(name);
      ChannelParameter parameter =
          parameter(name, declaration == null ? null : document.resolved(declaration), protocol);
      if (parameter.location() == null && parameter.otherwise() == null) {
        diagnostics.value(
            place,
            "expected a parameter \""
                + name
                + "\" of the channel that has a default"
                + (publishes ? " or a location in the message" : "")
                + ", found one without: a call cannot give it a value");
        return null;
      }
      parameters.put(name, parameter);
    }
    return parameters;
  }

  private ChannelParameter parameter(
      String name, @Nullable DocumentValue declaration, MessageProtocol protocol) {
    DocumentValue schema = document.member(declaration, "schema"); // generation 2
    DocumentValue values = schema == null ? declaration : schema;
    List<String> allowed =
        document.items(document.member(values, "enum")).stream().map(DocumentValue::text).toList();
    String otherwise = document.text(values, "default");
    if (!publishes) {
      String any = otherwise == null ? MessageAddress.wildcard(protocol) : otherwise;
      return new ChannelParameter(name, null, any, List.of());
    }
    String expression = document.text(declaration, "location");
    MessageLocation location = expression == null ? null : location(declaration, expression);
    return new ChannelParameter(name, location, otherwise, allowed);
  }

  private @Nullable MessageLocation location(@Nullable DocumentValue holder, String expression) {
    MessageLocation location = MessageLocation.of(expression);
    if (location == null && holder != null) {
      document
          .diagnostics()
          .value(
              holder,
              "expected a location such as $message.header#/id or $message.payload#/id, found \""
                  + ValueDescription.shorten(expression)
                  + "\"");
    }
    return location;
  }

  /** The media type of all messages, if they agree, else that of the document. */
  private String contentType(AsyncApiTarget target) {
    Set<String> types = new LinkedHashSet<>();
    for (DocumentValue message : target.messages()) {
      String type = document.text(message, "contentType");
      if (type != null) {
        types.add(type);
      }
    }
    if (types.size() == 1) {
      return types.iterator().next();
    }
    return Objects.requireNonNullElse(
        document.text(document.root(), "defaultContentType"), DEFAULT_CONTENT_TYPE);
  }

  private @Nullable MessageLocation correlation(AsyncApiTarget target) {
    for (DocumentValue message : target.messages()) {
      DocumentValue holder = document.member(message, "correlationId");
      String expression = document.text(holder, "location");
      if (expression != null) {
        return location(holder, expression);
      }
    }
    return null;
  }

  private MessageOptions options(AsyncApiTarget target, MessageProtocol protocol) {
    DocumentValue operation = binding(target.operation(), protocol);
    DocumentValue channel = binding(target.channel(), protocol);
    return new MessageOptions(
        method(operation),
        protocol == MessageProtocol.AMQP ? queue(channel) : document.text(operation, "queue"),
        exchange(channel),
        qos(operation),
        flag(operation, "retain"),
        flag(operation, "mandatory"));
  }

  /** The binding of a protocol; MQTT 5 has that of MQTT, too. */
  private @Nullable DocumentValue binding(@Nullable DocumentValue owner, MessageProtocol protocol) {
    DocumentValue bindings = document.member(owner, "bindings");
    DocumentValue own = document.member(bindings, protocol.word());
    return own == null && protocol == MessageProtocol.MQTT5
        ? document.member(bindings, MessageProtocol.MQTT.word())
        : own;
  }

  /** The exchange of AMQP; null for the default one, which each queue is bound to by its name. */
  private @Nullable String exchange(@Nullable DocumentValue channel) {
    String name = document.text(document.member(channel, "exchange"), "name");
    return name == null || name.isEmpty() || isQueue(channel) ? null : name;
  }

  /** The queue of AMQP, where the channel is one or there is no exchange. */
  private @Nullable String queue(@Nullable DocumentValue channel) {
    String name = document.text(document.member(channel, "queue"), "name");
    return isQueue(channel) || exchange(channel) == null ? name : null;
  }

  private boolean isQueue(@Nullable DocumentValue channel) {
    return "queue".equals(document.text(channel, "is"));
  }

  private String method(@Nullable DocumentValue operation) {
    String method = document.text(operation, "method");
    if (method == null) {
      return publishes ? MessageOptions.DEFAULT.method() : "GET";
    }
    String problem = HttpCallTemplate.methodProblem(method);
    if (problem != null && operation != null) {
      document.diagnostics().value(operation, problem);
      return MessageOptions.DEFAULT.method();
    }
    return method.toUpperCase(Locale.ROOT);
  }

  private int qos(@Nullable DocumentValue operation) {
    DocumentValue qos = document.member(operation, "qos");
    if (qos == null) {
      return MessageOptions.AT_LEAST_ONCE;
    }
    if (!qos.json().isInt() || qos.json().intValue() < 0 || qos.json().intValue() > MAX_QOS) {
      document.diagnostics().expected(qos, "an integer from 0 to 2 as \"qos\"");
      return MessageOptions.AT_LEAST_ONCE;
    }
    return qos.json().intValue();
  }

  private boolean flag(@Nullable DocumentValue operation, String name) {
    DocumentValue flag = document.member(operation, name);
    return flag != null && flag.json().booleanValue();
  }
}
