package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.DeferredParts.DeferredInput;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.MetadataHints;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ExternalResources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles {@code call}: calls of services, of functions, and of the one that this engine adds. */
final class CallTaskCompiler {
  /** The function of the default catalog that runs a list of tasks for every item at once. */
  static final String PARALLEL_FOR_EACH = "parallelForEach:1.0.0@default";

  private static final String HTTP = "http";
  private static final String OPENAPI = "openapi";
  private static final String ASYNCAPI = "asyncapi";
  private static final String GRPC = "grpc";
  private static final String MCP = "mcp";
  private static final String A2A = "a2a";

  /** Calls of the language that no function can replace. */
  static final List<String> PROTOCOLS = List.of(HTTP, ASYNCAPI, GRPC, OPENAPI, A2A, MCP);

  /** Calls whose arguments may use secrets. */
  private static final List<String> WITH_SECRETS = List.of(HTTP, OPENAPI, GRPC, MCP, A2A);

  private static final List<String> PARALLEL_KEYS =
      List.of("in", "each", "at", "maxConcurrency", "do");

  private final TaskListCompiler lists;
  private final ControlFlowTaskCompiler flows;
  private final ExpressionFieldCompiler expressions;
  private final AuthenticationCompiler authentications;
  private final HttpCallCompiler http;
  private final OpenApiCallCompiler openApi;
  private final GrpcCallCompiler grpc;
  private final AsyncApiCallCompiler asyncApi;
  private final McpCallCompiler mcp;
  private final A2aCallCompiler a2a;
  private final FunctionCallCompiler functionCallCompiler;
  private final FunctionResolver functions;
  private final Diagnostics diagnostics;

  CallTaskCompiler(
      TaskListCompiler lists,
      ControlFlowTaskCompiler flows,
      AuthenticationCompiler authentications,
      AsyncApiCallCompiler asyncApi,
      FunctionCallCompiler functionCallCompiler,
      FunctionResolver functions,
      OpenApiOperations operations,
      ExpressionFieldCompiler expressions,
      ExternalResources resources,
      Diagnostics diagnostics) {
    this.lists = lists;
    this.flows = flows;
    this.asyncApi = asyncApi;
    this.expressions = expressions;
    this.authentications = authentications;
    this.http = new HttpCallCompiler(expressions, authentications, diagnostics);
    this.openApi = new OpenApiCallCompiler(operations, expressions, authentications, diagnostics);
    this.grpc = new GrpcCallCompiler(http, resources, diagnostics);
    this.mcp = new McpCallCompiler(http, resources, expressions, authentications, diagnostics);
    this.a2a = new A2aCallCompiler(http, resources, diagnostics);
    this.functionCallCompiler = functionCallCompiler;
    this.functions = functions;
    this.diagnostics = diagnostics;
  }

  /** The protocol by which a task calls a service; empty for a function and for other tasks. */
  static String protocol(FieldReader task) {
    DocumentValue call = task.get("call");
    return call != null && PROTOCOLS.contains(call.text()) ? call.text() : "";
  }

  /**
   * {@code input.from} of a task, when it is a call that may use secrets and does so; else null.
   */
  @Nullable DocumentValue inputWithSecrets(FieldReader task) {
    DocumentValue input = task.get("input");
    DocumentValue from =
        input == null
            ? null
            : input.members().stream()
                .filter(member -> member.name().equals("from"))
                .findFirst()
                .orElse(null);
    DocumentValue call = task.get("call");
    return from != null
            && call != null
            && WITH_SECRETS.contains(call.text())
            && authentications.references().usesSecrets(from, true)
        ? from
        : null;
  }

  private @Nullable DeferredInput deferredInput(FieldReader task, VisibleVariables visible) {
    DocumentValue from = inputWithSecrets(task);
    return from == null
        ? null
        : new DeferredInput(from, expressions.transformation(from, visible.ofCallInput()));
  }

  Node compile(TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    DocumentValue call = fieldReader.requiredText("call");
    if (call == null) {
      return Placeholders.task();
    }
    String name = call.text();
    if (PROTOCOLS.contains(name)) {
      return protocol(common, call, fieldReader, visibleVariables);
    }
    if (!name.equals(PARALLEL_FOR_EACH) || functions.isDeclared(call)) {
      return functionCallCompiler.compile(
          common, fieldReader, functions.resolve(call), visibleVariables);
    }
    DocumentValue arguments = fieldReader.required("with");
    return arguments == null
        ? Placeholders.task()
        : parallelForEach(common, arguments, visibleVariables);
  }

  private Node protocol(
      TaskAttributes common,
      DocumentValue call,
      FieldReader fieldReader,
      VisibleVariables visibleVariables) {
    DocumentValue arguments = fieldReader.required("with");
    if (arguments == null) {
      return Placeholders.task();
    }
    if (call.text().equals(ASYNCAPI)) {
      return asyncApi.compile(common, arguments, visibleVariables);
    }
    DocumentValue metadata = fieldReader.get("metadata");
    DeferredInput input = deferredInput(fieldReader, visibleVariables);
    return new Node.Call(
        common,
        switch (call.text()) {
          case GRPC -> grpc.compile(arguments, metadata, visibleVariables, input);
          case OPENAPI ->
              openApi.compile(
                  arguments, MetadataHints.parsesXml(metadata), visibleVariables, input);
          case MCP -> mcp.compile(arguments, visibleVariables, input);
          case A2A -> a2a.compile(arguments, visibleVariables, input);
          default ->
              http.compile(arguments, MetadataHints.parsesXml(metadata), visibleVariables, input);
        });
  }

  private Node parallelForEach(
      TaskAttributes common, DocumentValue arguments, VisibleVariables visibleVariables) {
    FieldReader fieldReader =
        FieldReader.of(arguments, PARALLEL_FOR_EACH, PARALLEL_KEYS, diagnostics);
    ControlFlowTaskCompiler.LoopHeader loopHeader = flows.loop(fieldReader, visibleVariables);
    Block body =
        lists.sequence(
            fieldReader.required("do"),
            visibleVariables.with(loopHeader.each()).with(loopHeader.at()));
    return new Node.ParallelForEach(
        common,
        loopHeader.each(),
        loopHeader.at(),
        loopHeader.items(),
        (int) fieldReader.integer("maxConcurrency", 1, Integer.MAX_VALUE, 0),
        body);
  }
}
