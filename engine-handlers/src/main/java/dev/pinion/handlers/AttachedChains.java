package dev.pinion.handlers;

import dev.pinion.core.model.DefinitionInfo;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.NamedChains;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PayloadCodec;
import dev.pinion.core.spi.Around;
import dev.pinion.core.spi.Definitions;
import dev.pinion.core.spi.Passage;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.Metric;
import dev.pinion.handlers.api.SettingProblem;
import dev.pinion.handlers.config.InvalidChainsException;
import dev.pinion.handlers.run.Gateway;
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
public final class AttachedChains implements Around {
  private static final Logger LOG = LoggerFactory.getLogger(AttachedChains.class);

  private final Chains chains;
  private final ChainDocuments documents;
  private final Passages passages;
  private final List<AutoCloseable> resources;
  private final Supplier<List<Metric>> places;

  // Set once, before messages come.
  private volatile @Nullable Definitions definitions;

  /**
   * Chains of documents, which are read immediately.
   *
   * @param resources resources of the handlers; closed after them, in this order
   * @param places counters of handlers that run elsewhere
   * @throws InvalidChainsException when a document is refused
   */
  public AttachedChains(
      Chains chains,
      ChainDocuments documents,
      PayloadCodec codec,
      List<AutoCloseable> resources,
      Supplier<List<Metric>> places)
      throws InvalidChainsException {
    this.chains = chains;
    this.documents = documents;
    this.passages = new Passages(codec);
    this.resources = List.copyOf(resources);
    this.places = places;
    chains.install(documents.read(), this::missed);
  }

  @Override
  public void serve(Definitions deployed) {
    definitions = deployed;
  }

  @Override
  public Map<String, String> points() {
    return chains.points();
  }

  @Override
  public boolean handles(Around.Point point, @Nullable DefinitionKey definition) {
    String named = named(point, definition);
    return named == null
        ? chains.isAttachedAt(Passages.point(point))
        : !named.equals(NamedChains.NONE);
  }

  /** The chain that a definition names for a point, or null. */
  private @Nullable String named(Around.Point point, @Nullable DefinitionKey definition) {
    Definitions deployed = definitions;
    DefinitionInfo info = deployed == null || definition == null ? null : deployed.find(definition);
    return info == null ? null : info.chains().at(point.label());
  }

  @Override
  public void handle(Passage passage, Continuation then) {
    Message message = passages.message(passage);
    String named = named(passage.point(), passage.about().definition());
    Gateway.Exit<Continuation> exit = (end, outcome) -> onAttached(passage, message, end, outcome);
    if (named == null) {
      chains.enter(message, then, exit);
    } else if (named.equals(NamedChains.NONE)) {
      exit.leave(then, new Outcome.Proceed(message));
    } else {
      chains.enterForDefinition(named, message, then, exit);
    }
  }

  private void onAttached(Passage passage, Message entered, Continuation then, Outcome outcome) {
    boolean request = passage.point() == Around.Point.REQUEST_IN;
    String name = request ? passage.fields().get(Around.CHAIN_FIELD) : null;
    if (name != null && outcome instanceof Outcome.Proceed(Message message)) {
      chains.enterForClient(
          name,
          message,
          then,
          (end, further) -> end.end(passages.decision(passage, entered, further)));
    } else {
      then.end(passages.decision(passage, entered, outcome));
    }
  }

  @Override
  public Payload describe() {
    return Payload.array(chains.inForce().values().stream().map(ChainPicture::of).toList());
  }

  @Override
  public String metrics() {
    return HandlerMetrics.text(chains.inForce(), places.get(), HandlerMetrics.MAX_CHARS);
  }

  @Override
  public List<Diagnostic> reload() {
    try {
      chains.install(documents.read(), this::missed);
      return List.of();
    } catch (InvalidChainsException e) {
      return e.problems().stream()
          .map(problem -> new Diagnostic(problem.pointer(), 0, 0, problem.message(), null))
          .toList();
    }
  }

  /** Chains that deployed definitions name but would not have. */
  private List<SettingProblem> missed(Map<String, String> points) {
    Definitions deployed = definitions;
    List<SettingProblem> problems = new ArrayList<>();
    if (deployed == null) {
      return problems;
    }
    for (DefinitionInfo each : deployed.list(null, null)) {
      each.chains()
          .byPoint()
          .forEach(
              (point, name) -> {
                String problem = NamedChains.problem(point, name, points);
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
    chains.close();
    for (AutoCloseable each : resources) {
      try {
        each.close();
      } catch (Exception e) {
        LOG.warn("something that handlers needed could not be closed", e);
      }
    }
  }
}
