package dev.pinion.handlers;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.metrics.MetricFamilies;
import dev.pinion.core.model.ChainReferences;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.DeployedDefinition;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Payload;
import dev.pinion.core.spi.DefinitionCatalog;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.MessageGateway;
import dev.pinion.handlers.run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chains of a server, attached to the engine: takes messages through their chain, and then
 * requests through the one that their sender names.
 *
 * <pre>
 *   engine ──Passage──▶ Message ──▶ chain of its definition, ──▶ chain that its ──▶ Decision ──▶ engine
 *                                   else the attached one        client names
 * </pre>
 */
public final class ChainInterceptor implements Interceptor {
  private static final Logger LOG = LoggerFactory.getLogger(ChainInterceptor.class);

  private final ChainRegistry chainRegistry;
  private final ChainDocuments documents;
  private final MessageTranslator messageTranslator;
  private final List<AutoCloseable> resources;
  private final Supplier<List<Metric>> places;

  // Set once, before messages come.
  private volatile @Nullable DefinitionCatalog definitionCatalog;

  /**
   * Chains of documents, which are read immediately.
   *
   * @param resources resources of the handlers; closed after them, in this order
   * @param places counters of handlers that run elsewhere
   * @throws InvalidChainsException when a document is refused
   */
  public ChainInterceptor(
      ChainRegistry chainRegistry,
      ChainDocuments documents,
      PayloadCodec codec,
      List<AutoCloseable> resources,
      Supplier<List<Metric>> places)
      throws InvalidChainsException {
    this.chainRegistry = chainRegistry;
    this.documents = documents;
    this.messageTranslator = new MessageTranslator(codec);
    this.resources = List.copyOf(resources);
    this.places = places;
    chainRegistry.install(documents.read(), this::missed);
  }

  @Override
  public void serve(DefinitionCatalog deployed) {
    definitionCatalog = deployed;
  }

  @Override
  public Map<String, String> points() {
    return chainRegistry.points();
  }

  @Override
  public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
    String named = named(point, definition);
    return named == null
        ? chainRegistry.isAttachedAt(MessageTranslator.point(point))
        : !named.equals(ChainReferences.NONE);
  }

  /** The chain that a definition names for a point, or null. */
  private @Nullable String named(InterceptionPoint point, @Nullable DefinitionKey definition) {
    DefinitionCatalog deployed = definitionCatalog;
    DeployedDefinition info =
        deployed == null || definition == null ? null : deployed.find(definition);
    return info == null ? null : info.chains().at(point.label());
  }

  @Override
  public void handle(HttpMessage httpMessage, Continuation then) {
    Message message = messageTranslator.message(httpMessage);
    String named = named(httpMessage.point(), httpMessage.context().definition());
    MessageGateway.Completion<Continuation> completion =
        (end, outcome) -> onAttached(httpMessage, message, end, outcome);
    if (named == null) {
      chainRegistry.enter(message, then, completion);
    } else if (named.equals(ChainReferences.NONE)) {
      completion.complete(then, new Outcome.Proceed(message));
    } else {
      chainRegistry.enterForDefinition(named, message, then, completion);
    }
  }

  private void onAttached(
      HttpMessage httpMessage, Message entered, Continuation then, Outcome outcome) {
    boolean request = httpMessage.point() == InterceptionPoint.REQUEST_IN;
    String name = request ? httpMessage.fields().get(Interceptor.CHAIN_FIELD) : null;
    if (name != null && outcome instanceof Outcome.Proceed(Message message)) {
      chainRegistry.enterForClient(
          name,
          message,
          then,
          (end, further) -> end.end(messageTranslator.decision(httpMessage, entered, further)));
    } else {
      then.end(messageTranslator.decision(httpMessage, entered, outcome));
    }
  }

  @Override
  public Payload describe() {
    return Payload.array(chainRegistry.inForce().values().stream().map(ChainStatus::of).toList());
  }

  @Override
  public void addMetrics(MetricFamilies families) {
    HandlerMetrics.add(chainRegistry.inForce(), places.get(), HandlerMetrics.MAX_VALUES, families);
  }

  @Override
  public List<Diagnostic> reload() {
    try {
      chainRegistry.install(documents.read(), this::missed);
      return List.of();
    } catch (InvalidChainsException e) {
      return e.problems().stream()
          .map(problem -> new Diagnostic(problem.pointer(), 0, 0, problem.message(), null))
          .toList();
    }
  }

  /** Chains that deployed definitions name but would not have. */
  private List<SettingProblem> missed(Map<String, String> points) {
    DefinitionCatalog deployed = definitionCatalog;
    List<SettingProblem> problems = new ArrayList<>();
    if (deployed == null) {
      return problems;
    }
    for (DeployedDefinition each : deployed.list(null, null)) {
      each.chains()
          .byPoint()
          .forEach(
              (point, name) -> {
                String problem = ChainReferences.problem(point, name, points);
                if (problem != null) {
                  String who = ", which the definition " + each.key() + " names";
                  problems.add(new SettingProblem("", problem + who));
                }
              });
    }
    return problems;
  }

  @Override
  public void close() {
    chainRegistry.close();
    for (AutoCloseable each : resources) {
      try {
        each.close();
      } catch (Exception e) {
        LOG.warn("something that handlers needed could not be closed", e);
      }
    }
  }
}
