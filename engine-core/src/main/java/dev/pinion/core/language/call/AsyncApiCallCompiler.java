package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.call.CompiledSubscription.SubscriptionFieldCompiler;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.template.HttpPublishTemplate;
import dev.pinion.core.template.MessageContentTemplate;
import dev.pinion.core.template.MessageEndpointTemplate;
import dev.pinion.core.template.MessagePublishTemplate;
import dev.pinion.core.template.MessageServerTemplate;
import dev.pinion.core.template.MessageSubscriptionTemplate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles {@code call: asyncapi} (DSL reference, "AsyncAPI Call"): what the document says is part
 * of the graph, so a task reads no document when it runs.
 */
final class AsyncApiCallCompiler {
  private static final List<String> KEYS =
      List.of(
          "document",
          "channel",
          "operation",
          "server",
          "protocol",
          "message",
          "subscription",
          "authentication");
  private static final String WHAT = "the arguments of an AsyncAPI call";

  private final ExternalResources resources;
  private final MessageArguments messages;
  private final SubscriptionFieldCompiler subscriptions;
  private final MessagePayloadCheck payloadCheck;
  private final Diagnostics diagnostics;

  AsyncApiCallCompiler(
      EngineLimits limits,
      ExternalResources resources,
      MessageArguments messages,
      SubscriptionFieldCompiler subscriptions,
      Diagnostics diagnostics) {
    this.resources = resources;
    this.messages = messages;
    this.subscriptions = subscriptions;
    this.payloadCheck = new MessagePayloadCheck(limits, diagnostics);
    this.diagnostics = diagnostics;
  }

  /**
   * The channel of a call, as far as it is known.
   *
   * @param endpoint the channel, or null when there was a problem
   * @param check checks the payload of a message, or null
   */
  private record Destination(
      @Nullable MessageEndpointTemplate endpoint, @Nullable Expression<Payload> check) {
    static final Destination UNKNOWN = new Destination(null, null);

    @Nullable MessageProtocol protocol() {
      return endpoint == null ? null : endpoint.server().protocol();
    }
  }

  /** The task that the arguments describe. */
  Node compile(TaskAttributes common, DocumentValue arguments, VisibleVariables visible) {
    FieldReader fields = FieldReader.of(arguments, WHAT, KEYS, diagnostics);
    DocumentValue message = fields.object("message");
    DocumentValue subscription = fields.object("subscription");
    checkOne(fields);
    Destination destination = destination(fields, subscription == null, visible);
    DeferredParts parts = messages.parts(arguments, visible);
    messages.authentication(
        fields.get("authentication"), destination.protocol(), subscription == null, visible, parts);
    MessageContentTemplate content =
        message == null ? null : messages.content(message, visible, parts, destination.check());
    CompiledSubscription compiled =
        subscription == null ? null : subscriptions.compile(subscription, visible);
    MessageEndpointTemplate endpoint = destination.endpoint();
    if (endpoint == null) {
      return Placeholders.task();
    }
    if (compiled != null) {
      return new Node.Subscribe(
          common,
          new MessageSubscriptionTemplate(endpoint, parts.template()),
          compiled.consumption(),
          compiled.foreach());
    }
    return content == null ? Placeholders.task() : publish(common, endpoint, content);
  }

  private static Node publish(
      TaskAttributes common, MessageEndpointTemplate endpoint, MessageContentTemplate content) {
    return new Node.Call(
        common,
        endpoint.server().protocol() == MessageProtocol.HTTP
            ? new HttpPublishTemplate(endpoint, content)
            : new MessagePublishTemplate(endpoint, content));
  }

  private void checkOne(FieldReader fields) {
    boolean sends = fields.has("message");
    boolean receives = fields.has("subscription");
    if (sends && receives) {
      diagnostics.key(
          fields.getPresent("subscription"),
          "expected either \"message\" or \"subscription\" in " + WHAT + ", found both");
    } else if (!sends
        && !receives
        && fields.owner().isObject()
        && !fields.isMisspelt("message")
        && !fields.isMisspelt("subscription")) {
      diagnostics.key(
          fields.owner(), "expected \"message\" or \"subscription\" in " + WHAT + ", found none");
    }
  }

  private Destination destination(FieldReader fields, boolean publishes, VisibleVariables visible) {
    DocumentValue resource = fields.required("document");
    ExternalDocument external = resource == null ? null : resources.document(resource);
    AsyncApiDocument document = external == null ? null : AsyncApiDocument.of(external);
    if (document == null || resource == null) {
      return Destination.UNKNOWN;
    }
    AsyncApiTarget target = new AsyncApiTargets(document, diagnostics, publishes).find(fields);
    if (target == null) {
      return Destination.UNKNOWN;
    }
    MessageServerTemplate server =
        new AsyncApiServers(document, messages.expressions(), diagnostics)
            .choose(fields, target, visible);
    if (server == null) {
      return Destination.UNKNOWN;
    }
    MessageEndpointTemplate endpoint =
        new AsyncApiChannels(document, diagnostics, publishes).endpoint(target, server, resource);
    return new Destination(
        endpoint, publishes ? payloadCheck.of(document, target, resource) : null);
  }
}
