package dev.pinion.core.api;

import dev.pinion.core.api.json.DefinitionJson;
import dev.pinion.core.http.HttpExchange;
import dev.pinion.core.http.message.EntityTags;
import dev.pinion.core.http.message.MediaTypes;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.Response;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.peer.DefinitionReplication;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.core.spi.DefinitionCatalog.Deployment;
import io.netty.buffer.ByteBufUtil;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Deploying definitions: compiled on an ancillary thread, answered on the event loop. */
final class DeploymentEndpoints {
  private final RequestContext context;
  private final DefinitionCatalog definitionCatalog;
  private final DefinitionReplication peers;
  private final ScheduleBeginning schedules;

  /**
   * One requested deployment.
   *
   * @param expected the identity the document must have, or null
   * @param conditions values of If-None-Match
   */
  private record DeploymentRequest(
      String mediaType,
      @Nullable DefinitionKey expected,
      boolean dryRun,
      List<String> conditions) {}

  DeploymentEndpoints(RequestContext context) {
    this.context = context;
    this.definitionCatalog = context.ports().definitions();
    this.peers =
        new DefinitionReplication(
            context.ports().peers().group(), context.ports().peers().client());
    this.schedules = new ScheduleBeginning(context);
  }

  /** Deploys a document under its own identity, or only checks it. */
  void post(HttpExchange httpExchange) throws ProblemException {
    String dryRun = httpExchange.query().oneOf("dryRun", List.of("true", "false"));
    boolean only = "true".equals(dryRun);
    order(httpExchange, new DeploymentRequest(type(httpExchange), null, only, List.of()));
  }

  /** Deploys a document that must have the identity of the path. */
  void put(HttpExchange httpExchange) throws ProblemException {
    DefinitionKey key = DefinitionEndpoints.key(httpExchange);
    List<String> conditions = httpExchange.headers("if-none-match");
    DeployedDefinition existing = definitionCatalog.find(key);
    if (existing != null) {
      checkCondition(conditions, existing);
    }
    order(httpExchange, new DeploymentRequest(type(httpExchange), key, false, conditions));
  }

  private static byte[] source(HttpExchange httpExchange) throws ProblemException {
    if (!httpExchange.body().isReadable()) {
      throw new ProblemException(
          ProblemType.BAD_BODY, "expected a document in the body, found none");
    }
    return ByteBufUtil.getBytes(httpExchange.body());
  }

  private static String type(HttpExchange httpExchange) {
    String type = httpExchange.header("content-type");
    String essence = type == null ? null : MediaTypes.essence(type);
    return essence == null ? MediaTypes.JSON : essence;
  }

  private static void checkCondition(List<String> conditions, DeployedDefinition existing)
      throws ProblemException {
    if (EntityTags.matches(conditions, DefinitionEndpoints.etag(existing))) {
      throw new ProblemException(
          ProblemType.PRECONDITION_FAILED,
          "expected no definition under this identity, found one with sha256 " + existing.sha256());
    }
  }

  private void order(HttpExchange httpExchange, DeploymentRequest deploymentRequest)
      throws ProblemException {
    byte[] source = source(httpExchange);
    try {
      context
          .ports()
          .replica()
          .ancillary()
          .execute(() -> perform(httpExchange, deploymentRequest, source));
    } catch (RejectedExecutionException e) {
      throw new ProblemException(Problem.overload("deployments under way"));
    }
  }

  /** Runs on an ancillary thread. Every failure there must reach the client. */
  private void perform(
      HttpExchange httpExchange, DeploymentRequest deploymentRequest, byte[] source) {
    Deployment deployment;
    try {
      deployment =
          definitionCatalog.deploy(
              source,
              deploymentRequest.mediaType,
              deploymentRequest.expected,
              deploymentRequest.dryRun);
    } catch (RuntimeException | StackOverflowError e) {
      httpExchange.onLoop(
          () -> {
            throw new IllegalStateException("a deployment failed", e);
          });
      return;
    }
    httpExchange.onLoopAlways(() -> proceed(httpExchange, deploymentRequest, deployment));
  }

  /** A stored definition is installed in other replicas even when its client has gone. */
  private void proceed(
      HttpExchange httpExchange, DeploymentRequest deploymentRequest, Deployment deployment) {
    DefinitionReplication.ReplicationListener answer =
        () -> answer(httpExchange, deploymentRequest, deployment);
    switch (deployment) {
      case Deployment.Created created -> install(httpExchange, created.definition(), answer);
      case Deployment.Unchanged unchanged -> install(httpExchange, unchanged.definition(), answer);
      default -> httpExchange.run(answer::proceed);
    }
  }

  private void install(
      HttpExchange httpExchange,
      DeployedDefinition definition,
      DefinitionReplication.ReplicationListener then) {
    peers.install(httpExchange, definition, () -> schedules.await(httpExchange, definition, then));
  }

  private void answer(
      HttpExchange httpExchange, DeploymentRequest deploymentRequest, Deployment deployment)
      throws ProblemException {
    switch (deployment) {
      case Deployment.Created created ->
          answerStanding(httpExchange, created.definition(), 201, created.warnings());
      case Deployment.Unchanged unchanged -> {
        checkCondition(deploymentRequest.conditions, unchanged.definition());
        answerStanding(httpExchange, unchanged.definition(), 200, unchanged.warnings());
      }
      case Deployment.VersionConflict versionConflict -> {
        checkCondition(deploymentRequest.conditions, versionConflict.existing());
        throw conflict(versionConflict.existing());
      }
      case Deployment.Valid valid -> answerChecked(httpExchange, List.of(), valid.warnings());
      case Deployment.Invalid invalid -> {
        if (!deploymentRequest.dryRun) {
          throw invalid(invalid.problems());
        }
        answerChecked(httpExchange, invalid.problems(), invalid.warnings());
      }
      case Deployment.TooManyDefinitions tooManyDefinitions ->
          throw new ProblemException(Problem.overload(tooManyDefinitions.limit()));
    }
  }

  private void answerStanding(
      HttpExchange httpExchange, DeployedDefinition info, int status, List<Diagnostic> warnings) {
    Payload summary = DefinitionJson.summary(info, warnings);
    httpExchange.respond(
        Response.of(status, MediaTypes.JSON, context.json().bytes(summary))
            .field("location", DefinitionReplication.path(info.key()))
            .field("etag", DefinitionEndpoints.etag(info)));
  }

  private void answerChecked(
      HttpExchange httpExchange, List<Diagnostic> problems, List<Diagnostic> warnings) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("valid", Payload.of(problems.isEmpty()));
    members.put("problems", DefinitionJson.problems(problems));
    if (!warnings.isEmpty()) {
      members.put("warnings", DefinitionJson.problems(warnings));
    }
    byte[] body = context.json().bytes(Payload.object(members));
    httpExchange.respond(Response.of(200, MediaTypes.JSON, body));
  }

  private static ProblemException conflict(DeployedDefinition existing) {
    return new ProblemException(
        Problem.of(
                ProblemType.DEFINITION_CONFLICT,
                "expected new content under a new version, found other content under "
                    + Problem.quoted(existing.key().toString()))
            .with("sha256", Payload.of(existing.sha256())));
  }

  private static ProblemException invalid(List<Diagnostic> problems) {
    return new ProblemException(
        Problem.of(
                ProblemType.INVALID_DEFINITION,
                "expected a valid definition, found " + counted(problems))
            .with("errors", DefinitionJson.problems(problems)));
  }

  private static String counted(List<Diagnostic> problems) {
    return problems.size() == 1 ? "1 problem" : problems.size() + " problems";
  }
}
