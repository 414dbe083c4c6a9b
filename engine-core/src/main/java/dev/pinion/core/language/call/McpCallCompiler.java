package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.call.DeferredParts.DeferredInput;
import dev.pinion.core.language.call.HttpCallCompiler.CarrierParts;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.DurationFieldCompiler;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.model.EngineVersion;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.call.CallRequest;
import dev.pinion.core.model.call.McpCall;
import dev.pinion.core.model.call.McpCall.McpRequest;
import dev.pinion.core.template.McpCallTemplate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles the arguments of {@code call: mcp} (DSL reference, "MCP Call"). */
final class McpCallCompiler {
  private static final List<String> KEYS =
      List.of("protocolVersion", "method", "parameters", "timeout", "transport", "client");
  private static final List<String> TRANSPORT_KEYS = List.of("http", "stdio", "options");
  private static final List<String> HTTP_KEYS = List.of("endpoint", "headers");
  private static final List<String> CLIENT_KEYS = List.of("name", "version");

  /** Versions whose messages are those that the client sends; the first counts unless said. */
  private static final List<String> VERSIONS =
      List.of("2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05");

  /** Methods, each with the parameter that it needs; empty for none. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "tools/list", "",
          "tools/call", "name",
          "prompts/list", "",
          "prompts/get", "name",
          "resources/list", "",
          "resources/read", "uri",
          "resources/templates/list", "");

  private final HttpCallCompiler http;
  private final ProgramTaskCompiler programs;
  private final DurationFieldCompiler durations;
  private final Diagnostics diagnostics;

  /**
   * A compiler.
   *
   * @param http compiles the request that carries a call
   */
  McpCallCompiler(
      HttpCallCompiler http,
      ExternalResources resources,
      ExpressionFieldCompiler expressions,
      AuthenticationCompiler authentications,
      Diagnostics diagnostics) {
    this.http = http;
    this.durations = new DurationFieldCompiler(expressions, diagnostics);
    this.programs =
        new ProgramTaskCompiler(expressions, durations, resources, authentications, diagnostics);
    this.diagnostics = diagnostics;
  }

  /**
   * The call that the arguments describe.
   *
   * @param input {@code input.from} when it uses secrets, else null
   */
  Expression<McpCall> compile(
      DocumentValue arguments, VisibleVariables visible, @Nullable DeferredInput input) {
    FieldReader fields =
        FieldReader.of(arguments, "the arguments of an MCP call", KEYS, diagnostics);
    String method = method(fields.requiredText("method"));
    DocumentValue parameters = parameters(fields, method);
    DocumentValue timeout = fields.get("timeout");
    DocumentValue transport = fields.required("transport");
    Expression<? extends CallRequest> carrier =
        transport == null
            ? Placeholders.expression()
            : carrier(arguments, transport, parameters, visible, input);
    return new McpCallTemplate(
        request(fields, method),
        carrier,
        timeout == null ? null : durations.compile(timeout, visible.ofTask()),
        parameters == null ? "" : ExpressionFieldCompiler.location(parameters));
  }

  private McpRequest request(FieldReader fields, String method) {
    String version = fields.word("protocolVersion", VERSIONS);
    DocumentValue client = fields.object("client");
    FieldReader of =
        client == null ? null : FieldReader.of(client, "a client", CLIENT_KEYS, diagnostics);
    DocumentValue name = of == null ? null : of.requiredText("name");
    DocumentValue number = of == null ? null : of.requiredText("version");
    return new McpRequest(
        method,
        version,
        name == null ? "pinion" : name.text(),
        number == null ? EngineVersion.CURRENT : number.text(),
        0);
  }

  /** The method; an empty text stands for one that was reported. */
  private String method(@Nullable DocumentValue method) {
    if (method == null) {
      return "";
    }
    if (NEEDED.containsKey(method.text())) {
      return method.text();
    }
    List<String> known = NEEDED.keySet().stream().sorted().toList();
    diagnostics.value(
        method,
        "expected one of "
            + String.join(", ", known)
            + ", found "
            + ValueDescription.describe(method.json()),
        () -> SpellingSuggestion.of(method.text(), known));
    return "";
  }

  /** The parameters; what a method needs is reported where it cannot be there. */
  private @Nullable DocumentValue parameters(FieldReader fields, String method) {
    DocumentValue parameters = fields.get("parameters");
    String needed = NEEDED.getOrDefault(method, "");
    if (parameters == null) {
      if (!needed.isEmpty() && !fields.isMisspelt("parameters")) {
        diagnostics.key(
            fields.owner(),
            "expected \"parameters\" with \"" + needed + "\" for " + method + ", found none");
      }
      return null;
    }
    if (!http.mayBeObject(parameters)) {
      diagnostics.expected(parameters, "an object or an expression within ${ } as \"parameters\"");
      return null;
    }
    boolean lacks = parameters.members().stream().noneMatch(member -> member.name().equals(needed));
    if (parameters.isObject() && !needed.isEmpty() && lacks) {
      diagnostics.key(
          parameters,
          "expected \"" + needed + "\" in the parameters of " + method + ", found none");
    }
    return parameters;
  }

  private Expression<? extends CallRequest> carrier(
      DocumentValue arguments,
      DocumentValue transport,
      @Nullable DocumentValue parameters,
      VisibleVariables visible,
      @Nullable DeferredInput input) {
    FieldReader fields =
        FieldReader.of(transport, "the transport of an MCP call", TRANSPORT_KEYS, diagnostics);
    DocumentValue options = fields.get("options");
    if (options != null) {
      FieldReader.of(options, "the options of a transport, as it has none", List.of(), diagnostics);
    }
    DocumentValue remote = fields.get("http");
    DocumentValue local = fields.get("stdio");
    if (remote != null && local != null) {
      diagnostics.key(local, "expected either \"http\" or \"stdio\" in a transport, found both");
    } else if (remote != null) {
      FieldReader parts =
          FieldReader.of(remote, "the HTTP transport of a server", HTTP_KEYS, diagnostics);
      return http.carrier(
          arguments.pointer(),
          new CarrierParts(
              "MCP", null, parts.required("endpoint"), null, parts.get("headers"), parameters),
          visible,
          input);
    } else if (local != null) {
      if (input != null) {
        diagnostics.value(
            input.source(),
            "expected an input without secrets for a server that is a program, found one with them");
      }
      return programs.server(local, parameters, visible);
    } else if (transport.isObject() && !fields.isMisspelt("http") && !fields.isMisspelt("stdio")) {
      diagnostics.key(transport, "expected \"http\" or \"stdio\" in a transport, found none");
    }
    return Placeholders.expression();
  }
}
