package dev.pinion.core.language.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.call.DeferredParts.DeferredInput;
import dev.pinion.core.language.call.HttpCallCompiler.CarrierParts;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.call.A2aCall;
import dev.pinion.core.template.A2aCallTemplate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles the arguments of {@code call: a2a} (DSL reference, "A2A Call"). */
final class A2aCallCompiler {
  private static final List<String> KEYS = List.of("method", "agentCard", "server", "parameters");
  private static final String SEND = "message/send";
  private static final String STREAM = "message/stream";
  private static final String RESUBSCRIBE = "tasks/resubscribe";
  private static final List<String> METHODS =
      List.of(
          SEND,
          STREAM,
          "tasks/get",
          "tasks/list",
          "tasks/cancel",
          RESUBSCRIBE,
          "tasks/pushNotificationConfig/set",
          "tasks/pushNotificationConfig/get",
          "tasks/pushNotificationConfig/list",
          "tasks/pushNotificationConfig/delete",
          "agent/getAuthenticatedExtendedCard");

  private final HttpCallCompiler http;
  private final ExternalResources resources;
  private final AgentCards cards;
  private final Diagnostics diagnostics;

  /**
   * A compiler.
   *
   * @param http compiles the request that carries a call
   */
  A2aCallCompiler(HttpCallCompiler http, ExternalResources resources, Diagnostics diagnostics) {
    this.http = http;
    this.resources = resources;
    this.cards = new AgentCards();
    this.diagnostics = diagnostics;
  }

  /**
   * The call that the arguments describe.
   *
   * @param input {@code input.from} when it uses secrets, else null
   */
  Expression<A2aCall> compile(
      DocumentValue arguments, VisibleVariables visible, @Nullable DeferredInput input) {
    FieldReader fields =
        FieldReader.of(arguments, "the arguments of an A2A call", KEYS, diagnostics);
    String method = method(fields.requiredText("method"));
    DocumentValue parameters = parameters(fields, method);
    DocumentValue card = fields.get("agentCard");
    DocumentValue server = fields.get("server");
    String url = card == null ? null : url(card, method);
    if (card != null && server != null) {
      diagnostics.warn(
          server,
          "expected no \"server\" beside \"agentCard\", which tells where the agent is",
          () -> null);
    }
    if (card == null && server == null && !isMisspelt(fields)) {
      diagnostics.key(
          fields.owner(),
          "expected \"agentCard\" or \"server\" in the arguments of an A2A call, found none");
    }
    return new A2aCallTemplate(
        method,
        http.carrier(
            arguments.pointer(),
            new CarrierParts(
                "A2A",
                card == null ? null : url,
                card == null ? server : null,
                null,
                null,
                parameters),
            visible,
            input),
        parameters == null ? "" : ExpressionFieldCompiler.location(parameters));
  }

  private static boolean isMisspelt(FieldReader fields) {
    return fields.isMisspelt("agentCard") || fields.isMisspelt("server");
  }

  /** The method; an empty text stands for one that was reported. */
  private String method(@Nullable DocumentValue method) {
    if (method == null) {
      return "";
    }
    if (METHODS.contains(method.text())) {
      return method.text();
    }
    diagnostics.value(
        method,
        "expected one of "
            + String.join(", ", METHODS)
            + ", found "
            + ValueDescription.describe(method.json()),
        () -> SpellingSuggestion.of(method.text(), METHODS));
    return "";
  }

  private @Nullable DocumentValue parameters(FieldReader fields, String method) {
    DocumentValue parameters = fields.get("parameters");
    boolean message = method.equals(SEND) || method.equals(STREAM);
    if (parameters == null) {
      if (message && !fields.isMisspelt("parameters")) {
        diagnostics.key(
            fields.owner(),
            "expected \"parameters\" with \"message\" for " + method + ", found none");
      }
      return null;
    }
    if (!http.mayBeObject(parameters)) {
      diagnostics.expected(parameters, "an object or an expression within ${ } as \"parameters\"");
      return null;
    }
    boolean lacks =
        parameters.members().stream().noneMatch(member -> member.name().equals("message"));
    if (parameters.isObject() && message && lacks) {
      diagnostics.key(
          parameters, "expected \"message\" in the parameters of " + method + ", found none");
    }
    return parameters;
  }

  /** Where an agent is by its card; empty where a problem was reported. */
  private String url(DocumentValue resource, String method) {
    ExternalDocument card = resources.document(resource);
    if (card == null) {
      return "";
    }
    JsonNode json = card.root().json();
    boolean streams = method.equals(STREAM) || method.equals(RESUBSCRIBE);
    if (streams && !json.path("capabilities").path("streaming").asBoolean(true)) {
      diagnostics.value(
          resource, "expected an agent that streams for " + method + ", found one that does not");
    }
    if (!json.path("security").isEmpty()) {
      diagnostics.warn(
          resource,
          "expected \"server\" with \"authentication\" for an agent whose card asks for one, found"
              + " \"agentCard\"",
          () -> null);
    }
    return cards.url(card);
  }
}
