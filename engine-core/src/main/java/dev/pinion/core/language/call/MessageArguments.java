package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.AuthenticationScheme;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.template.HttpCallTemplate;
import dev.pinion.core.template.MessageContentTemplate;
import dev.pinion.core.template.NameValuePairs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles the message and the authentication of a call (DSL reference, "AsyncAPI Message"). */
final class MessageArguments {
  private static final List<String> KEYS = List.of("payload", "headers");

  private final ExpressionFieldCompiler expressions;
  private final AuthenticationCompiler authentications;
  private final Diagnostics diagnostics;

  MessageArguments(
      ExpressionFieldCompiler expressions,
      AuthenticationCompiler authentications,
      Diagnostics diagnostics) {
    this.expressions = expressions;
    this.authentications = authentications;
    this.diagnostics = diagnostics;
  }

  ExpressionFieldCompiler expressions() {
    return expressions;
  }

  /** The parts of a call that the Invoker evaluates, none so far. */
  DeferredParts parts(DocumentValue arguments, VisibleVariables visible) {
    return authentications.parts(arguments.pointer(), visible, null);
  }

  /**
   * Compiles the authentication of a call.
   *
   * @param protocol its protocol, or null where that is not known
   * @param publishes whether the call sends a message
   */
  void authentication(
      @Nullable DocumentValue authentication,
      @Nullable MessageProtocol protocol,
      boolean publishes,
      VisibleVariables visible,
      DeferredParts parts) {
    if (authentication == null) {
      return;
    }
    authentications.compile(authentication, visible, parts);
    AuthenticationScheme scheme = parts.scheme();
    String known = scheme == null || protocol == null ? null : known(scheme, protocol, publishes);
    if (scheme != null && known != null) {
      diagnostics.value(
          authentication,
          "authentication by "
              + scheme.label()
              + " over "
              + (protocol == null ? "" : protocol.word())
              + " is not supported: expected "
              + known);
    }
  }

  /** What a protocol takes instead of a scheme; null when it takes the scheme. */
  private static @Nullable String known(
      AuthenticationScheme scheme, MessageProtocol protocol, boolean publishes) {
    boolean digest = scheme == AuthenticationScheme.DIGEST;
    boolean basic = scheme == AuthenticationScheme.BASIC;
    return switch (protocol) {
      case HTTP -> digest && !publishes ? AuthenticationCompiler.WITHOUT_DIGEST : null;
      case NATS, WS -> digest ? AuthenticationCompiler.WITHOUT_DIGEST : null;
      case MQTT, MQTT5, AMQP -> basic ? null : "basic";
    };
  }

  /**
   * Compiles a message.
   *
   * @param check checks its payload, or null
   */
  MessageContentTemplate content(
      DocumentValue message,
      VisibleVariables visible,
      DeferredParts parts,
      @Nullable Expression<Payload> check) {
    FieldReader fields = FieldReader.of(message, "an AsyncAPI message", KEYS, diagnostics);
    NameValuePairs headers = headers(fields.get("headers"), visible, parts);
    Expression<Payload> payload = payload(fields.get("payload"), visible, parts);
    return new MessageContentTemplate(payload, headers, check, parts.template());
  }

  private @Nullable Expression<Payload> payload(
      @Nullable DocumentValue payload, VisibleVariables visible, DeferredParts parts) {
    if (payload == null) {
      return null;
    }
    Expression<Payload> made = expressions.template(payload, visible.ofCall());
    if (!parts.defers(payload)) {
      return made;
    }
    parts.body(payload, made);
    return null;
  }

  private NameValuePairs headers(
      @Nullable DocumentValue headers, VisibleVariables visible, DeferredParts parts) {
    if (headers == null) {
      return NameValuePairs.NONE;
    }
    if (expressions.isWhole(headers)) {
      NameValuePairs computed =
          NameValuePairs.computed(
              expressions.expression(headers, visible.ofCall()),
              ExpressionFieldCompiler.location(headers));
      if (!parts.defers(headers)) {
        return computed;
      }
      parts.headers(headers, computed);
      return NameValuePairs.NONE;
    }
    if (!headers.isObject()) {
      diagnostics.expected(headers, "an object or an expression within ${ } as \"headers\"");
    }
    List<NameValuePairs.Member> members = new ArrayList<>();
    for (DocumentValue header : headers.members()) {
      String problem = HttpCallTemplate.headerProblem(header.name());
      if (problem != null) {
        diagnostics.key(header, problem);
      }
      NameValuePairs.Member member =
          new NameValuePairs.Member(
              header.name(),
              expressions.template(header, visible.ofCall()),
              ExpressionFieldCompiler.location(header));
      if (parts.defers(header)) {
        parts.header(header, member);
      } else {
        members.add(member);
      }
    }
    return NameValuePairs.of(members);
  }
}
