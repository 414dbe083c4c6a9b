package dev.pinion.core.request;

import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.Definitions;
import dev.pinion.core.spi.Definitions.Deployment;
import io.netty.buffer.ByteBufUtil;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Deploying definitions: compiled on an ancillary thread, answered on the event loop. */
final class DeployEndpoints {
  private final RequestHandler handler;
  private final Definitions definitions;
  private final PeerDefinitions peers;

  /**
   * One requested deployment.
   *
   * @param expected the identity the document must have, or null
   * @param conditions values of If-None-Match
   */
  private record Order(
      String mediaType,
      @Nullable DefinitionKey expected,
      boolean dryRun,
      List<String> conditions) {}

  DeployEndpoints(RequestHandler handler) {
    this.handler = handler;
    this.definitions = handler.ports().definitions();
    this.peers = new PeerDefinitions(handler.ports().neighbourhood(), handler.ports().peers());
  }

  /** Deploys a document under its own identity, or only checks it. */
  void post(Exchange exchange) throws Refusal {
    String dryRun = exchange.query().oneOf("dryRun", List.of("true", "false"));
    boolean only = "true".equals(dryRun);
    order(exchange, new Order(type(exchange), null, only, List.of()));
  }

  /** Deploys a document that must have the identity of the path. */
  void put(Exchange exchange) throws Refusal {
    DefinitionKey key =
        new DefinitionKey(exchange.variable(0), exchange.variable(1), exchange.variable(2));
    List<String> conditions = exchange.headers("if-none-match");
    DefinitionInfo existing = definitions.find(key);
    if (existing != null) {
      checkCondition(conditions, existing);
    }
    order(exchange, new Order(type(exchange), key, false, conditions));
  }

  private static byte[] source(Exchange exchange) throws Refusal {
    if (!exchange.body().isReadable()) {
      throw new Refusal(ProblemType.BAD_BODY, "expected a document in the body, found none");
    }
    return ByteBufUtil.getBytes(exchange.body());
  }

  private static String type(Exchange exchange) {
    String type = exchange.header("content-type");
    String essence = type == null ? null : MediaTypes.essence(type);
    return essence == null ? MediaTypes.JSON : essence;
  }

  private static void checkCondition(List<String> conditions, DefinitionInfo existing)
      throws Refusal {
    if (Conditions.matches(conditions, DefinitionEndpoints.etag(existing))) {
      throw new Refusal(
          ProblemType.PRECONDITION_FAILED,
          "expected no definition under this identity, found one with sha256 " + existing.sha256());
    }
  }

  private void order(Exchange exchange, Order order) throws Refusal {
    byte[] source = source(exchange);
    try {
      handler.ports().ancillary().execute(() -> perform(exchange, order, source));
    } catch (RejectedExecutionException e) {
      throw new Refusal(Problem.overload("deployments under way"));
    }
  }

  /** Runs on an ancillary thread. Every failure there must reach the client. */
  private void perform(Exchange exchange, Order order, byte[] source) {
    Deployment deployment;
    try {
      deployment = definitions.deploy(source, order.mediaType, order.expected, order.dryRun);
    } catch (RuntimeException | StackOverflowError e) {
      exchange.onLoop(
          () -> {
            throw new IllegalStateException("a deployment failed", e);
          });
      return;
    }
    exchange.detached(() -> proceed(exchange, order, deployment));
  }

  /** A stored definition is installed in other replicas even when its client has gone. */
  private void proceed(Exchange exchange, Order order, Deployment deployment) {
    PeerDefinitions.Installed answer = () -> answer(exchange, order, deployment);
    switch (deployment) {
      case Deployment.Created created -> peers.install(exchange, created.definition(), answer);
      case Deployment.Unchanged unchanged ->
          peers.install(exchange, unchanged.definition(), answer);
      default -> exchange.run(answer::proceed);
    }
  }

  private void answer(Exchange exchange, Order order, Deployment deployment) throws Refusal {
    switch (deployment) {
      case Deployment.Created created ->
          answerStanding(exchange, created.definition(), 201, created.warnings());
      case Deployment.Unchanged unchanged -> {
        checkCondition(order.conditions, unchanged.definition());
        answerStanding(exchange, unchanged.definition(), 200, unchanged.warnings());
      }
      case Deployment.Conflict conflict -> {
        checkCondition(order.conditions, conflict.existing());
        throw conflict(conflict.existing());
      }
      case Deployment.Valid valid -> answerChecked(exchange, List.of(), valid.warnings());
      case Deployment.Invalid invalid -> {
        if (!order.dryRun) {
          throw invalid(invalid.problems());
        }
        answerChecked(exchange, invalid.problems(), List.of());
      }
      case Deployment.Full full -> throw new Refusal(Problem.overload(full.limit()));
    }
  }

  private void answerStanding(
      Exchange exchange, DefinitionInfo info, int status, List<Diagnostic> warnings) {
    Payload summary = DefinitionJson.summary(info, warnings);
    exchange.answer(
        Answer.of(status, MediaTypes.JSON, handler.json().bytes(summary))
            .field("location", DefinitionEndpoints.path(info.key()))
            .field("etag", DefinitionEndpoints.etag(info)));
  }

  private void answerChecked(
      Exchange exchange, List<Diagnostic> problems, List<Diagnostic> warnings) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("valid", Payload.of(problems.isEmpty()));
    members.put("problems", DefinitionJson.problems(problems));
    if (!warnings.isEmpty()) {
      members.put("warnings", DefinitionJson.problems(warnings));
    }
    byte[] body = handler.json().bytes(Payload.object(members));
    exchange.answer(Answer.of(200, MediaTypes.JSON, body));
  }

  private static Refusal conflict(DefinitionInfo existing) {
    return new Refusal(
        Problem.of(
                ProblemType.DEFINITION_CONFLICT,
                "expected new content under a new version, found other content under "
                    + Problem.quoted(existing.key().toString()))
            .with("sha256", Payload.of(existing.sha256())));
  }

  private static Refusal invalid(List<Diagnostic> problems) {
    return new Refusal(
        Problem.of(
                ProblemType.INVALID_DEFINITION,
                "expected a valid definition, found " + counted(problems))
            .with("errors", DefinitionJson.problems(problems)));
  }

  private static String counted(List<Diagnostic> problems) {
    return problems.size() == 1 ? "1 problem" : problems.size() + " problems";
  }
}
