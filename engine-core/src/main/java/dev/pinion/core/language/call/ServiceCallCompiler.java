package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.call.CompiledSubscription.SubscriptionFieldCompiler;
import dev.pinion.core.language.call.DeferredParts.DeferredInput;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.MetadataHints;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ExternalDocuments;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.limits.EngineLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles calls of services, each over one of the protocols of the language. */
public final class ServiceCallCompiler {
  private static final String HTTP = "http";
  private static final String OPENAPI = "openapi";
  private static final String ASYNCAPI = "asyncapi";
  private static final String GRPC = "grpc";
  private static final String MCP = "mcp";
  private static final String A2A = "a2a";

  /** Calls of the language that no function can replace. */
  public static final List<String> PROTOCOLS = List.of(HTTP, ASYNCAPI, GRPC, OPENAPI, A2A, MCP);

  /** Calls whose arguments may use secrets. */
  private static final List<String> WITH_SECRETS = List.of(HTTP, OPENAPI, GRPC, MCP, A2A);

  private final ExpressionFieldCompiler expressions;
  private final AuthenticationCompiler authentications;
  private final HttpCallCompiler http;
  private final OpenApiCallCompiler openApi;
  private final GrpcCallCompiler grpc;
  private final AsyncApiCallCompiler asyncApi;
  private final McpCallCompiler mcp;
  private final A2aCallCompiler a2a;

  /**
   * A compiler of the calls in one document.
   *
   * @param documents all documents
   * @param resources those that this one names
   * @param subscriptions compiles the subscriptions of calls
   */
  public ServiceCallCompiler(
      EngineLimits limits,
      ExternalDocuments documents,
      ExternalResources resources,
      SubscriptionFieldCompiler subscriptions,
      ExpressionFieldCompiler expressions,
      AuthenticationCompiler authentications,
      Diagnostics diagnostics) {
    this.expressions = expressions;
    this.authentications = authentications;
    this.http = new HttpCallCompiler(expressions, authentications, diagnostics);
    this.openApi =
        new OpenApiCallCompiler(
            new OpenApiOperations(documents, resources, diagnostics),
            expressions,
            authentications,
            diagnostics);
    this.grpc = new GrpcCallCompiler(http, resources, diagnostics);
    this.asyncApi =
        new AsyncApiCallCompiler(
            limits,
            resources,
            new MessageArguments(expressions, authentications, diagnostics),
            subscriptions,
            diagnostics);
    this.mcp = new McpCallCompiler(http, resources, expressions, authentications, diagnostics);
    this.a2a = new A2aCallCompiler(http, resources, diagnostics);
  }

  /** The protocol by which a task calls a service; empty for a function and for other tasks. */
  public static String protocol(FieldReader task) {
    DocumentValue call = task.get("call");
    return call != null && PROTOCOLS.contains(call.text()) ? call.text() : "";
  }

  /** Whether a task is a call that may use secrets, and its {@code input.from} does so. */
  public boolean hasInputWithSecrets(FieldReader task) {
    return inputWithSecrets(task) != null;
  }

  private @Nullable DocumentValue inputWithSecrets(FieldReader task) {
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

  /**
   * The task that calls a service.
   *
   * @param protocol one of {@link #PROTOCOLS}
   * @param task the members of the task
   */
  public Node compile(
      TaskAttributes common, String protocol, FieldReader task, VisibleVariables visible) {
    DocumentValue arguments = task.required("with");
    if (arguments == null) {
      return Placeholders.task();
    }
    if (protocol.equals(ASYNCAPI)) {
      return asyncApi.compile(common, arguments, visible);
    }
    DocumentValue metadata = task.get("metadata");
    DeferredInput input = deferredInput(task, visible);
    return new Node.Call(
        common,
        switch (protocol) {
          case GRPC -> grpc.compile(arguments, metadata, visible, input);
          case OPENAPI ->
              openApi.compile(arguments, MetadataHints.parsesXml(metadata), visible, input);
          case MCP -> mcp.compile(arguments, visible, input);
          case A2A -> a2a.compile(arguments, visible, input);
          default -> http.compile(arguments, MetadataHints.parsesXml(metadata), visible, input);
        });
  }
}
